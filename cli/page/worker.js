// Judges the log with the second implementation (protocol/independent) in Pyodide; asks no network for anything.
const bytes = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
const unzip = async (base64) =>
  new Uint8Array(await new Response(new Blob([bytes(base64)]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
const address = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

onmessage = async ({ data }) => {
  try {
    const [asm, wasm, mjs, std, app] = await Promise.all([data.asm, data.wasm, data.mjs, data.std, data.app].map(unzip));
    globalThis.fetch = async (asked) => {
      const name = String(asked.url ?? asked).split("/").at(-1);
      if (name === "pyodide.asm.wasm") return new Response(wasm, { headers: { "content-type": "application/wasm" } });
      if (name === "python_stdlib.zip") return new Response(std);
      throw Error(`the network was asked for ${name}`);
    };
    const [{ default: createPyodideModule }, { loadPyodide }] = [await import(address(asm)), await import(address(mjs))];
    const nowhere = "https://nowhere.invalid/";
    const python = await loadPyodide({
      indexURL: nowhere, packageBaseUrl: nowhere, stdLibURL: `${nowhere}python_stdlib.zip`, createPyodideModule,
      lockFileContents: { info: LOCK, packages: {} },
    });
    python.FS.writeFile("/app.zip", app);
    python.FS.writeFile("/log.storm", bytes(data.log));
    postMessage(JSON.parse(python.runPython(PROGRAM)));
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
