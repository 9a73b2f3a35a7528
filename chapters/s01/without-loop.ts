/** The model without a loop: one request, one reply. It asks for a command, and nobody runs it. */
import { createConnection, send } from "shared/connection";
import { readSettings } from "shared/settings";
import { unwatched } from "shared/unwatched";
import { BASH } from "./code.ts";

const options = unwatched({ connection: createConnection(readSettings(process.cwd())) });
const request = { messages: [{ role: "user" as const, content: process.argv.slice(2).join(" ") }], tools: [BASH] };
const { content, stop_reason } = await send(options, request);
console.log(JSON.stringify({ request, reply: { content, stop_reason } }, null, 2));
process.exit();
