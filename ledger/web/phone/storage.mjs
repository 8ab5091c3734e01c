/* What the phone keeps: its keys, its seats, what it has signed. In IndexedDB, durably: nothing is
sent anywhere before it stands here (`durability: "strict"`).

signed   one row for every event before which this phone has signed another, with what it signed:
         never a second one, unless that one was refused
outbox   signed events that are not seen in the match yet, and for good those that were refused
shown    rolls whose number this phone has shown, and under which throw
known    how far each match was seen: a server that shows less, or other events, is noticed
sealed   moves that this phone has sealed: nobody else can open them
legal    the legal moves of each match as they were listed last, where a move can be sealed
*/

import { Answer } from "./answer.mjs";

const DATABASE = "tabellion";
const DATABASE_VERSION = 2;
const STORES = {
  keys: "name",
  seats: "place",
  outbox: "hash",
  signed: ["match", "prev"],
  shown: ["match", "roll"],
  known: "match",
  sealed: ["match", "seal"],
  legal: "match",
};
const NO_MEMORY =
  "This browser keeps nothing for this page, so it cannot keep your key. A private window does " +
  "that, or a setting; storage that is full does it too.";
const NO_MEMORY_HINT = "Open the page in an ordinary window, or use another browser.";

/** The storage of this browser. Throws `Answer` where there is none. */
export async function openStorage(name = DATABASE) {
  if (!globalThis.indexedDB) throw noMemory();
  const opening = indexedDB.open(name, DATABASE_VERSION);
  opening.onupgradeneeded = () => {
    const { result: database } = opening;
    for (const [store, keyPath] of Object.entries(STORES)) {
      if (database.objectStoreNames.contains(store)) continue;
      database.createObjectStore(store, { keyPath });
    }
  };
  const database = await answerOf(opening);
  database.onversionchange = () => database.close();
  return new PhoneStorage(database);
}

function noMemory() {
  return new Answer("no-storage", NO_MEMORY, { hint: NO_MEMORY_HINT });
}

function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(noMemory());
    request.onblocked = () => reject(noMemory());
  });
}

class PhoneStorage {
  #database;

  constructor(database) {
    this.#database = database;
  }

  get(store, key) {
    return this.#reading(store, (place) => place.get(key));
  }

  all(store) {
    return this.#reading(store, (place) => place.getAll());
  }

  /** Several changes, all or none: `[store, row]` puts a row. On the disk when it returns. */
  put(...rows) {
    const stores = rows.map(([store]) => store);
    return this.#writing(stores, (places) => {
      for (const [store, row] of rows) places.objectStore(store).put(row);
    });
  }

  remove(store, key) {
    return this.#writing([store], (places) => places.objectStore(store).delete(key));
  }

  /** Puts a row unless one with its key stands there; gives the one that stands there now. */
  async keepFirst(store, key, row) {
    await this.#writing([store], (places) => {
      const place = places.objectStore(store);
      const known = place.getKey(key);
      known.onsuccess = () => {
        if (known.result === undefined) place.put(row);
      };
    });
    return this.get(store, key);
  }

  /** The seats of this phone: `{place, match, seat, name, code, arbiter}`; without `match` while the
  others are awaited. `arbiter` is the key that was told when the seat was taken, if it was. */
  seats() {
    return this.all("seats");
  }

  async #reading(store, task) {
    try {
      return await answerOf(task(this.#database.transaction(store).objectStore(store)));
    } catch (error) {
      throw error instanceof Answer ? error : noMemory();
    }
  }

  #writing(stores, task) {
    return new Promise((resolve, reject) => {
      try {
        const transaction = this.#database.transaction(stores, "readwrite", {
          durability: "strict",
        });
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(noMemory());
        task(transaction);
      } catch {
        reject(noMemory());
      }
    });
  }
}
