import { readFileSync } from "node:fs";
const { judgeCommand } = await import("./rules.ts");
const { commandsIn } = await import("./shell-commands.ts");
const read=(f: string|URL)=>readFileSync(f,"utf8").split("\n").filter(l=>l&&!l.startsWith("# ")).map(l=>l.replaceAll("⏎","\n"));
const T=read(new URL("commands.txt",import.meta.url)).map(l=>l.slice(6));
const P={workspace:process.cwd(),home:"/root"};
for (let k=0;k<5;k++){let t=performance.now(); for(const l of T.slice(0,500)) commandsIn(l,P); const a=performance.now()-t; t=performance.now(); for(const l of T.slice(0,500)) judgeCommand(l,P); console.log("500: parse+walk",a,"judge",performance.now()-t);}
