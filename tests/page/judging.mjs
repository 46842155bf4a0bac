// Judges logs in Pyodide: node judging.mjs FOLDER PROGRAM.py prints an array with the JSON for each log of the folder.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: folder });
python.FS.writeFile("/app.zip", fs.readFileSync(path.join(folder, "app.zip")));
const answers = [];
for (const name of fs.readdirSync(folder).filter((one) => one.endsWith(".storm")).sort()) {
  python.FS.writeFile("/log.storm", fs.readFileSync(path.join(folder, name)));
  answers.push(JSON.parse(python.runPython(fs.readFileSync(program, "utf8"))));
}
const asked = python.runPython(`
import json, sys
json.dumps(sorted({module.__file__.split(".zip/")[1] for module in sys.modules.values() if ".zip/" in str(getattr(module, "__file__", ""))}))
`);
console.log(JSON.stringify({ answers, modules: JSON.parse(asked) }));
