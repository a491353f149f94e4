import type { ApiTable } from "../schemas.ts";
import type { Tool } from "../tool.ts";
import { clearEvents } from "./clear.ts";
import { expectEvents } from "./expect.ts";
import { addFault, clearFaults, listFaults } from "./faults.ts";
import { getEvent } from "./get.ts";
import { listEvents } from "./list.ts";
import { checkEvent, extract } from "./look.ts";
import { howToSend } from "./send.ts";
import { waitForEvent } from "./wait.ts";

/** Every tool, in the order of `tools/list`. */
export function toolsFor(table: ApiTable): readonly Tool[] {
  return [
    howToSend,
    waitForEvent(table),
    listEvents(table),
    getEvent,
    expectEvents(table),
    extract,
    checkEvent,
    clearEvents(table),
    addFault(table),
    listFaults,
    clearFaults,
  ];
}
