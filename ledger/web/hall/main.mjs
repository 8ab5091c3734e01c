/* The page of those who look on: the hall, or the match that the address names; with ?screen=1 for
   a projector. It asks the server and shows what it says, and never has anything to sign with. */

import { element } from "../../page/face/elements.mjs";
import { ask, Feed } from "./feed.mjs";
import { HallBook } from "./hallbook.mjs";
import { HallScreen } from "./hallscreen.mjs";
import { HallView } from "./halltable.mjs";
import { Liveness, Speaker } from "./liveness.mjs";
import { MatchBook } from "./matchbook.mjs";
import { spokenLines } from "./matchlog.mjs";
import { MatchView } from "./matchview.mjs";
import { put } from "./spoken.mjs";

const MATCH = /^\/match\/([^/]+)\/?$/u;
const HALL_SPEAKS_AFTER = 5_000;
const MATCH_SPEAKS_AFTER = 1_000;

const spot = (name) => document.getElementById(name);

/** The match in the address; `null` for the hall. */
function matchInAddress(path) {
  const found = MATCH.exec(path);
  if (!found) return null;
  try {
    return decodeURIComponent(found[1]);
  } catch {
    return found[1];
  }
}

/** Answers of 4xx that will not change by asking again. */
function isFinal({ status }) {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
}

function turnAwayFrom(liveness, view) {
  return (why) => {
    if (!isFinal(why)) return false;
    liveness.over();
    const missing = why.status === 404;
    put(view.heading, missing ? "There is no such match here" : "This match cannot be shown");
    document.title = `${missing ? "No such match" : "No match"} · Tabellion`;
    view.room.replaceChildren(
      element("p", {}, why.message),
      element("p", {}, element("a", { href: "/" }, "To the hall: all matches")),
    );
    return true;
  };
}

function lookOnHall(view, liveness, onScreen) {
  const book = new HallBook();
  const shown = onScreen ? new HallScreen(view) : new HallView(view);
  const speaker = new Speaker(spot("spoken"), HALL_SPEAKS_AFTER);
  return new Feed({
    open: (how) => ask("/api/stream", how),
    take: (name, data) => {
      const news = book.take(name, data);
      shown.show(book);
      if (!onScreen) news.forEach((sentence) => speaker.say(sentence));
    },
    changed: (feed) => liveness.show(feed),
    refused: turnAwayFrom(liveness, view),
  });
}

function lookOnMatch(id, view, liveness, onScreen) {
  let shown = null;
  const speaker = new Speaker(spot("spoken"), MATCH_SPEAKS_AFTER);
  const book = new MatchBook(id, ({ show, log }, fresh) => {
    shown ??= new MatchView({ ...view, onScreen });
    shown.show(show);
    shown.log.show(log);
    if (onScreen || !fresh.length) return;
    spokenLines(fresh).forEach((sentence) => speaker.say(sentence));
    speaker.say(show.next);
  });
  return new Feed({
    open: (how) => book.open(how),
    take: (name, data) => book.take(name, data),
    changed: (feed) => liveness.show(feed),
    refused: turnAwayFrom(liveness, view),
  });
}

function begin() {
  const onScreen = new URLSearchParams(location.search).get("screen") === "1";
  if (onScreen) document.documentElement.dataset.screen = "";
  const id = matchInAddress(location.pathname);
  document.documentElement.dataset.shows = id === null ? "hall" : "match";
  spot("back").hidden = onScreen || id === null;
  const view = { room: spot("room"), heading: spot("heading") };
  const liveness = new Liveness(spot("live"));
  const feed =
    id === null
      ? lookOnHall(view, liveness, onScreen)
      : lookOnMatch(id, view, liveness, onScreen);
  liveness.show(feed);
  feed.start();
}

begin();
