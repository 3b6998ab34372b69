// The page on deception: three rules search the same small tree, and the reader goes from playout to playout.

import { drawChart } from "./chart.js";
import { LINES } from "./colours.js";
import { Connection, byId, html, percent, say, svg } from "./common.js";

const TITLES = { plain: "Plain UCT", discounted: "Discounted UCT", accelerated: "Accelerated UCT" };
const SHORT = { plain: "plain", discounted: "disc.", accelerated: "accel." };
const PLAYOUTS = { "figure-1": 100, ladder: 700 };
const STORIES = {
  "figure-1": "B is lost, because the second player answers F; C is won, because the first player goes on to H.",
  ladder: "The left move looks won and is lost: the second player has one right answer at each step. The right one looks lost and is won.",
};
const WIDTH = 400;

let figure = null;
let now = 0;
let timer = null;

function ask() {
  const message = {
    type: "figure", tree: byId("tree").value, c: Number(byId("c").value), decay: Number(byId("decay").value),
    seed: Number(byId("seed").value), playouts: PLAYOUTS[byId("tree").value],
  };
  say("");
  connection.send(message);
  return null;
}

// ---- the drawing of the tree

/** Leaves stand side by side, in order; a node above the middle of its children. */
function layout(nodes) {
  const children = nodes.map((_, number) => nodes.flatMap((node, child) => (node.parent === number ? [child] : [])));
  const places = nodes.map(() => 0);
  let leaves = 0;
  const visit = (number) => {
    const below = children[number];
    if (!below.length) places[number] = leaves++;
    else {
      below.forEach(visit);
      places[number] = below.reduce((sum, child) => sum + places[child], 0) / below.length;
    }
  };
  visit(0);
  const depth = Math.max(...nodes.map((node) => node.depth));
  return { places: places.map((place) => (WIDTH * (place + 0.5)) / leaves), depth, leaves };
}

function drawTree(element, engine) {
  const { nodes } = figure;
  const { places, depth, leaves } = layout(nodes);
  const isLarge = leaves > 8;
  const step = isLarge ? 50 : 84, radius = isLarge ? 11 : 20;
  const y = (node) => 30 + node.depth * step;
  const frame = now ? engine.frames[now - 1] : null;
  const before = now > 1 ? engine.frames[now - 2] : null;
  const most = Math.max(1, ...(frame?.visits ?? []));
  const visited = (number) => frame && frame.visits[number] > (before?.visits[number] ?? 0);
  element.setAttribute("viewBox", `0 0 ${WIDTH} ${30 + depth * step + radius + 24}`);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", describe(engine));
  const edges = nodes.flatMap((node, number) => node.parent === null ? [] : [svg("line", {
    class: `edge${visited(number) ? " on" : ""}`, x1: places[node.parent], y1: y(nodes[node.parent]), x2: places[number], y2: y(node),
    "stroke-width": 1 + 7 * Math.sqrt((frame?.visits[number] ?? 0) / most),
  })]);
  const discs = nodes.flatMap((node, number) => {
    const kind = node.value === null ? "" : node.value === 1 ? " won" : " lost";
    const parts = [svg("circle", { class: `node${kind}`, cx: places[number], cy: y(node), r: radius })];
    const name = (isLarge ? "" : "ABCDEFGHI"[number]) + (node.value === null ? "" : node.value === 1 ? "+" : "−");
    parts.push(svg("text", { class: node.value === null ? "" : "leaf-text", x: places[number], y: y(node) }, name));
    const value = frame?.values[number];
    if (value !== null && value !== undefined && (!isLarge || node.depth === 1)) {
      parts.push(svg("text", { class: "numbers halo", x: places[number], y: y(node) + radius + 12, "data-value": number }, value.toFixed(2)));
    }
    return parts;
  });
  element.replaceChildren(...edges, ...discs);
}

function describe(engine) {
  const frame = now ? engine.frames[now - 1] : null;
  if (!frame) return `${TITLES[engine.rule]}: before the first playout`;
  const said = [1, 2].map((number) => `${name(number)} ${frame.values[number] === null ? "not tried" : frame.values[number].toFixed(2)}`);
  return `${TITLES[engine.rule]} after ${now} playouts: ${said.join(", ")}; it would play ${name(frame.best + 1)}`;
}

const name = (number) => (figure.tree === "figure-1" ? "ABC"[number] : ["", "the left move", "the right move"][number]);

// ---- the page

function draw() {
  byId("number").textContent = now;
  byId("slider").value = now;
  figure.engines.forEach((engine) => {
    const frame = now ? engine.frames[now - 1] : null;
    drawTree(byId(`figure-${engine.rule}`), engine);
    byId(`choice-${engine.rule}`).textContent = frame
      ? `would play ${name(frame.best + 1)}, which is ${frame.best === 1 ? "won" : "lost"}` : "nothing known yet";
    for (const number of [1, 2]) {
      const value = frame?.values[number] ?? null;
      byId(`gauge-${engine.rule}-${number}`).style.width = percent(value ?? 0);
      byId(`value-${engine.rule}-${number}`).textContent =
        `${name(number)}: ${value === null ? "not tried" : value.toFixed(3)}, ${frame?.visits[number] ?? 0} visits`;
    }
  });
  drawChart(byId("chart"), {
    title: "values of both moves over playouts, by rule", xLabel: "playouts", marker: now,
    series: figure.engines.flatMap((engine, index) => [1, 2].map((number) => ({
      label: `${SHORT[engine.rule]} ${figure.tree === "figure-1" ? "ABC"[number] : ["", "left", "right"][number]}`,
      ...LINES[index], thin: number === 1,
      points: engine.frames.flatMap((frame, at) => (frame.values[number] === null ? [] : [[at + 1, frame.values[number]]])),
    }))),
  });
}

function onFigure(message) {
  figure = message;
  now = 0;
  pause();
  byId("slider").max = figure.engines[0].frames.length;
  byId("story").textContent = STORIES[figure.tree];
  byId("figures").replaceChildren(...figure.engines.map((engine, index) => html("section", { class: "card", "data-rule": engine.rule },
    html("h2", {}, TITLES[engine.rule]), html("p", { class: "spec soft" }, engine.engine),
    svg("svg", { id: `figure-${engine.rule}`, class: "figure" }),
    ...[1, 2].flatMap((number) => {
      const filled = html("div", { id: `gauge-${engine.rule}-${number}` });
      filled.style.background = LINES[index].colour;
      return [html("div", { id: `value-${engine.rule}-${number}`, class: "small numbers" }), html("div", { class: "gauge" }, filled)];
    }),
    html("p", { id: `choice-${engine.rule}` }))));
  draw();
}

function go(to) {
  if (!figure) return;
  now = Math.min(Number(byId("slider").max), Math.max(0, to));
  draw();
}

function pause() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
}

function play() {
  if (timer !== null) { pause(); return; }
  if (now === Number(byId("slider").max)) go(0);
  const delay = figure.tree === "figure-1" ? 350 : 60;
  byId("play").textContent = "Pause";
  timer = setInterval(() => {
    go(now + 1);
    if (now === Number(byId("slider").max)) pause();
  }, delay);
}

const connection = new Connection("learn", { greet: () => (figure ? null : ask()), handlers: { figure: onFigure } });

const step = (to) => { pause(); go(to()); };
byId("setup").addEventListener("change", ask);
byId("setup").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
byId("first").addEventListener("click", () => step(() => 0));
byId("previous").addEventListener("click", () => step(() => now - 1));
byId("next").addEventListener("click", () => step(() => now + 1));
byId("final").addEventListener("click", () => step(() => Number(byId("slider").max)));
byId("play").addEventListener("click", play);
byId("slider").addEventListener("input", () => step(() => Number(byId("slider").value)));
