// Runs the quick check of web pages: node checking.mjs CHECK.js CASES.json prints an answer for each case.
import fs from "node:fs";

const [source, cases] = process.argv.slice(2).map((name) => fs.readFileSync(name, "utf8"));
const { check } = await import(`data:text/javascript;base64,${Buffer.from(`${source}\nexport { check };`).toString("base64")}`);
const answers = [];
for (const { log, boards, flips = [null] } of JSON.parse(cases)) {
  for (const flip of flips) {
    const data = Uint8Array.from(Buffer.from(log, "base64"));
    const shown = boards && [...boards];
    if (flip !== null && flip.byte !== undefined) data[flip.byte] ^= 1 << flip.bit;
    if (flip !== null && flip.board !== undefined) shown[flip.board] = shown[flip.board].replace(/\d/, (one) => (Number(one) + 1) % 10);
    try {
      answers.push({ holds: await check(data, shown) });
    } catch (error) {
      answers.push({ code: error.code ?? String(error) });
    }
  }
}
console.log(JSON.stringify(answers));
