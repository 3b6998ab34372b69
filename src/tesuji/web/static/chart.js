// Line charts: some lines over playouts or games, between 0 and 1.

import { count, svg } from "./common.js";

const WIDEST = 560, NARROWEST = 320;
const HEIGHT = 230;
const LETTERS = 14;
const LEFT = 44, RIGHT = 86, TOP = 12, BOTTOM = 34;

/**
 * `series` is a list of {label, colour, dash, thin, points: [[x, y], ...], band: [[x, low, high], ...]}; `marker` a
 * place on the axis to point out.
 */
export function drawChart(element, { series, xLabel, marker = null, title }) {
  // As wide as its place, so that on a phone the letters stay as large as elsewhere.
  const width = Math.min(WIDEST, Math.max(NARROWEST, element.clientWidth || WIDEST));
  const last = Math.max(1, ...series.flatMap((line) => line.points.map(([x]) => x)));
  const x = (value) => LEFT + ((width - LEFT - RIGHT) * value) / last;
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value);
  element.classList.add("chart");
  element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", title);
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    svg("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
    svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, `${100 * value}%`),
  ]);
  for (const value of [0, 0.5, 1]) {
    parts.push(svg("text", { x: x(value * last), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, count(Math.round(value * last))));
  }
  parts.push(svg("text", { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, xLabel));
  const place = (number) => number.toFixed(1);
  for (const { colour, dash, thin, points, band } of series) {
    if (band?.length) {
      const edge = [...band.map(([at, , high]) => [at, high]), ...band.map(([at, low]) => [at, low]).reverse()];
      const corners = edge.map(([at, value]) => `${place(x(at))},${place(y(value))}`).join(" ");
      parts.push(svg("polygon", { class: "band", points: corners, fill: colour }));
    }
    const corners = points.map(([at, value]) => `${place(x(at))},${place(y(value))}`).join(" ");
    parts.push(svg("polyline", { class: style(thin), points: corners, stroke: colour, "stroke-dasharray": dash }));
  }
  if (marker !== null) {
    parts.push(svg("line", { class: "axis", x1: x(marker), x2: x(marker), y1: TOP, y2: HEIGHT - BOTTOM, "stroke-width": 2 }));
  }
  element.replaceChildren(...parts, ...labels(series, y, width));
}

const style = (thin) => (thin ? "series thin" : "series");

/** The names stand at the ends of their lines, pushed apart where they would meet. */
function labels(series, y, width) {
  const ends = series.filter((line) => line.points.length)
    .map((line) => ({ line, place: y(line.points.at(-1)[1]) }))
    .sort((a, b) => a.place - b.place);
  let least = TOP;
  for (const end of ends) least = (end.place = Math.max(end.place, least)) + LETTERS;
  let most = HEIGHT - LETTERS / 2;
  for (const end of [...ends].reverse()) most = (end.place = Math.min(end.place, most)) - LETTERS;
  return ends.flatMap(({ line, place }) => {
    const left = width - RIGHT + 6;
    return [
      svg("line", { class: style(line.thin), x1: left, x2: left + 18, y1: place, y2: place, stroke: line.colour, "stroke-dasharray": line.dash }),
      svg("text", { x: left + 22, y: place + 4 }, line.label),
    ];
  });
}
