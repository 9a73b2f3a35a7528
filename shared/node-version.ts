/** Imported first by all that is started: what comes after it needs this version, and would fail in ways that tell nothing. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`This needs Node 20.19 or later; here it is ${process.versions.node}.`);
  process.exit(1);
}
