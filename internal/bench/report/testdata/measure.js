// Runs in the page around the frames. In each frame, it opens all details and lists the faults of the layout, in the
// font of the page and in the widest available font.
const generic = ["sans-serif", "system-ui", "monospace", "serif"];
const named = ["Liberation Sans", "Arial", "Helvetica", "DejaVu Sans", "DejaVu Sans Mono", "Verdana", "Noto Sans", "Noto Sans Mono", "Roboto", "Segoe UI", "Courier New", "Liberation Mono"];
const pen = document.createElement("canvas").getContext("2d");
function wide(family) {
  pen.font = "100px " + family;
  return pen.measureText("The quick brown fox jumps over 0123456789 lazy dogs, +9.90% −0.25%").width;
}
// A missing font is as wide as its fallback.
const fonts = [...generic, ...named.map(n => `"${n}"`).filter(n => wide(n + ", monospace") === wide(n + ", serif"))];
const widest = fonts.reduce((a, b) => wide(b) > wide(a) ? b : a);

function inFonts(frame) {
  const doc = frame.contentDocument, body = doc.body;
  const own = wide(frame.contentWindow.getComputedStyle(body).fontFamily);
  const asked = measure(frame);
  asked.font = `its own, as wide as ${fonts.filter(f => wide(f) === own).slice(0, 4)}`;
  const style = doc.head.appendChild(doc.createElement("style"));
  style.textContent = `* { font-family: ${widest} !important; }`;
  const forced = measure(frame);
  forced.font = `${widest}, ${(wide(widest) / own).toFixed(2)} times as wide as its own`;
  if (frame.contentWindow.getComputedStyle(body).fontFamily !== widest) forced.wrong.push(`the font is not ${widest}`);
  return [asked, forced];
}

function measure(frame) {
  const doc = frame.contentDocument, win = frame.contentWindow, root = doc.documentElement, width = frame.clientWidth;
  const wrong = [];
  const name = e => e.tagName + (e.id ? "#" + e.id : "") + " " + (e.textContent || "").trim().slice(0, 40);
  const shown = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
  for (const d of doc.querySelectorAll("details")) d.open = true;

  if (root.scrollWidth > root.clientWidth) wrong.push(`the page is ${root.scrollWidth} wide in ${root.clientWidth}`);
  for (const e of doc.querySelectorAll("h1, h2, h3, p, li, summary, nav, .table, .from")) {
    const r = e.getBoundingClientRect();
    if (shown(e) && (r.left < -0.5 || r.right > width + 0.5)) wrong.push(`cut off: ${name(e)} from ${r.left} to ${r.right}`);
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && !e.matches(".table, li, .from")) wrong.push(`runs over: ${name(e)} ${e.scrollWidth} in ${e.clientWidth}`);
  }
  // On a phone, tables are cards. A desktop is wide enough for tables.
  for (const e of doc.querySelectorAll(".table")) if ((width < 640 || width >= 1440) && e.scrollWidth > e.clientWidth + 1) wrong.push(`table cut off: ${name(e)} ${e.scrollWidth} in ${e.clientWidth}`);
  for (const e of doc.querySelectorAll("h1, h2, h3, p, ul, details, table")) if (!shown(e)) wrong.push(`not visible: ${name(e)}`);
  for (const svg of doc.querySelectorAll("svg.interval")) if (svg.getBoundingClientRect().width < 100) wrong.push(`small: an interval, ${svg.getBoundingClientRect().width} wide`);
  const ids = [...doc.querySelectorAll("[id]")].map(e => e.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id occurs twice");
  for (const a of doc.querySelectorAll("a[href]")) if (!doc.getElementById(a.getAttribute("href").slice(1))) wrong.push(`${a.getAttribute("href")} leads nowhere`);
  const asked = win.performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith("data:"));
  if (asked.length > 0) wrong.push(`requested ${asked}`);
  return {width, wrong};
}
window.addEventListener("load", () => {
  document.getElementById("result").textContent = JSON.stringify([...document.querySelectorAll("iframe")].flatMap(inFonts));
});
