/* The phone without a face: its modules, within reach of whoever drives the browser. */

import { act, acceptSeat } from "../../ledger/web/phone/acting.mjs";
import { throwDraft } from "../../ledger/web/phone/dice.mjs";
import { Following } from "../../ledger/web/phone/following.mjs";
import { joinTable, takeSeat } from "../../ledger/web/phone/joining.mjs";
import { ownKeys } from "../../ledger/web/phone/keys.mjs";
import { openStorage } from "../../ledger/web/phone/storage.mjs";

globalThis.phone = {
  ...{ act, acceptSeat, throwDraft, Following },
  ...{ joinTable, takeSeat, ownKeys, openStorage },
};
