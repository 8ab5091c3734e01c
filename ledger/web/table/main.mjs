/* The player's page: the keys of this phone, the code of the address, and the room.

   The code is taken out of the address at once: it is a credential, and no address keeps it. */

import { element } from "../../page/face/elements.mjs";
import { Answer } from "../phone/answer.mjs";
import { ownKeys } from "../phone/keys.mjs";
import { openStorage } from "../phone/storage.mjs";
import { answerShown } from "./conditions.mjs";
import { redraw } from "./redrawing.mjs";
import { Room, matchInAddress } from "./room.mjs";

const UNEXPECTED =
  "Something went wrong in this page. What you have signed is kept. Load the page again; if it " +
  "stays so, show this to the arbiter.";
const STILL =
  "You can still play: the arbiter writes down what you do, or gives another phone your seat.";

const place = document.querySelector("#room");
const address = location.hash;

/** What keeps this phone from playing at all. */
function showTrouble(trouble) {
  redraw(place, answerShown("trouble", trouble), element("p", {}, STILL));
}

/** A mistake of this page: it is said above what is shown, which stays. */
function showMistake() {
  const words = element("div", { class: "fault", role: "alert" }, UNEXPECTED);
  document.querySelector("#mistake").replaceChildren(words);
}

/** The code of an address like `#ABCD-EFGH-JK`, which has none any more then. */
function takeCode(fragment) {
  if (fragment.length < 2 || matchInAddress(fragment)) return null;
  history.replaceState(null, "", location.pathname);
  return fragment.slice(1);
}

async function beginAtTable() {
  const code = takeCode(address);
  try {
    const storage = await openStorage();
    const keys = await ownKeys(storage);
    const [heading, line] = ["#where", "#line"].map((each) => document.querySelector(each));
    const room = new Room({ storage, keys, place, heading, line });
    addEventListener("hashchange", () => {
      const { hash } = location;
      room.goTo(takeCode(hash), matchInAddress(hash));
    });
    await room.enter(code, matchInAddress(address));
  } catch (error) {
    if (!(error instanceof Answer)) throw error;
    showTrouble(error);
  }
}

addEventListener("error", showMistake);
addEventListener("unhandledrejection", showMistake);
beginAtTable();
