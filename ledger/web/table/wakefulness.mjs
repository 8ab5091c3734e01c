/* A phone that sleeps opens no number, and the others wait for its dice: while it makes dice in a
   match that goes on, its screen stays on. */

/** Keeps the screen on while the page is seen, where the browser can. Gives what ends it. */
export function stayAwake() {
  let lock = null;
  let ended = false;
  const hold = async () => {
    if (ended || document.visibilityState !== "visible" || !navigator.wakeLock) return;
    try {
      const got = await navigator.wakeLock.request("screen");
      if (ended) await got.release();
      else lock = got;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", hold);
    lock?.release();
  };
}
