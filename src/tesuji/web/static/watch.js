// The page that shows the search at work, one engine beside the other.

import { Board } from "./board.js";
import { drawChart } from "./chart.js";
import { LINES, heat } from "./colours.js";
import { Connection, byId, count, download, html, percent, say, svg } from "./common.js";
import { Setup, fileButton } from "./setup.js";

const CHARTED_MOVES = 4;
const LISTED_MOVES = 8;
const MOST_POINTS = 300;

const setup = new Setup(byId("fields"));
let asked = null;
let board = null;
let panels = [];
let ownership = null;
let shown = "visits";

// ---- one engine

class Panel {
  constructor(number) {
    this.number = number;
    this.history = new Map();
    this.last = null;
    const drawing = svg("svg", {});
    this.title = html("h2", { class: "spec" });
    this.figures = html("p", { class: "small numbers", "data-figures": number });
    this.table = html("table", { class: "small" });
    this.chart = svg("svg", {});
    this.tree = html("div", { class: "tree small numbers", "data-tree": number });
    this.board = new Board(drawing, { onMove: (cell) => extend(board.names[cell]), label: `the board of engine ${number + 1}` });
    this.details = html("details", { ontoggle: (event) => event.target.open && this.open([]) },
      html("summary", {}, "The tree"), this.tree);
    this.element = html("section", { class: "card", "data-engine": number },
      this.title, drawing, this.figures, this.chart, this.table, this.details,
      html("div", { class: "buttons" },
        html("button", { "data-save": number, onclick: () => connection.send({ type: "tree", engine: number }) }, "Save the tree")));
  }

  /** For another position: the drawing stays, and with it the keyboard's place on the board. */
  forget() {
    this.history.clear();
    this.last = null;
    this.tree.replaceChildren();
    this.details.open = false;
  }

  open(path) {
    connection.send({ type: "open", engine: this.number, path });
  }

  look(engine) {
    this.last = engine;
    this.title.textContent = engine.engine;
    if (engine.visits === 0) {
      this.figures.textContent = "nothing searched yet";
    } else {
      const proven = engine.proven ? `, proven: a ${engine.proven}` : "";
      const full = engine.full ? ", the tree is full" : "";
      this.figures.textContent = `${count(engine.visits)} playouts in ${engine.seconds.toFixed(2)} s: `
        + `${engine.best}, ${percent(engine.value)}${proven}. ${count(engine.nodes)} nodes, `
        + `${(engine.memory / 1e6).toFixed(1)} MB${full}. ${engine.line_text.join(" ")}`;
    }
    this.remember(engine);
    this.draw();
  }

  /** The values so far. Where they become too many, every other one is forgotten. */
  remember({ visits, moves }) {
    for (const { text, visits: own, value } of moves) {
      if (!own) continue;
      if (!this.history.has(text)) this.history.set(text, []);
      const points = this.history.get(text);
      if (points.at(-1)?.[0] !== visits) points.push([visits, value]);
      if (points.length > MOST_POINTS) this.history.set(text, points.filter((_, index) => index % 2 === 0));
    }
  }

  draw() {
    this.board.draw(board, { ...this.overlay(), ownership: shown === "ownership" ? ownership : null });
    const leading = (this.last?.moves ?? []).filter((entry) => entry.visits);
    this.table.replaceChildren(
      html("tr", {}, ["move", "visits", "value", "prior"].map((name, index) => html("th", { class: index ? "figure" : null }, name))),
      ...leading.slice(0, LISTED_MOVES).map((entry) => html("tr", {},
        html("td", {}, entry.text), html("td", { class: "figure" }, count(entry.visits)),
        html("td", { class: "figure" }, percent(entry.value)),
        html("td", { class: "figure" }, entry.prior === null ? "" : percent(entry.prior)))));
    drawChart(this.chart, {
      title: `values of the most visited moves of ${this.last?.engine ?? "the engine"} over playouts`, xLabel: "playouts",
      series: leading.slice(0, CHARTED_MOVES).map((entry, index) =>
        ({ label: entry.text, points: this.history.get(entry.text) ?? [], ...LINES[index] })),
    });
  }

  /** Heat is relative to the highest number on the board, by square roots; but values have a scale of their own. */
  overlay() {
    if (shown === "line") return { line: this.last?.line ?? [] };
    if (shown === "ownership") return {};
    const entries = (this.last?.moves ?? []).filter((entry) => entry.visits && entry.move < board.cells.length);
    const known = entries.filter((entry) => entry[shown] !== null);
    const most = Math.max(1e-9, ...known.map((entry) => entry[shown]));
    return {
      heat: known.map((entry) => {
        const share = shown === "value" ? entry.value : Math.sqrt(entry[shown] / most);
        const { fill, ink } = heat(share);
        return { cell: entry.move, fill, ink, text: this.label(entry) };
      }),
    };
  }

  label(entry) {
    if (shown !== "visits") return (100 * entry[shown]).toFixed(0);
    return entry.visits < 1000 ? entry.visits : `${(entry.visits / 1000).toFixed(entry.visits < 1e4 ? 1 : 0)}k`;
  }

  // ---- the tree

  children(path, children) {
    const place = path.length ? this.tree.querySelector(`[data-path="${path.join(" ")}"] > ul`) : this.tree;
    if (!place) return;
    const items = children.map(({ text, visits, value }) => {
      const below = [...path, text];
      return html("li", { "data-path": below.join(" ") },
        html("button", {
          class: "link", "aria-expanded": "false",
          onclick: (event) => this.toggle(event.currentTarget, below),
        }, `${text}  ${count(visits)} visits  ${percent(value)}`),
        html("ul", {}));
    });
    const list = items.length ? items : [html("li", { class: "soft" }, "nothing below")];
    place.replaceChildren(...(path.length ? list : [html("ul", {}, list)]));
  }

  toggle(button, path) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", !isOpen);
    if (isOpen) button.nextElementSibling.replaceChildren();
    else this.open(path);
  }
}

// ---- what is asked for

function chosen() {
  const engines = [byId("engine0").value, byId("engine1").value].map((text) => text.trim()).filter(Boolean);
  return {
    type: "watch", board: setup.board(), engines: engines.length ? engines : ["uct"], seed: Number(byId("seed").value),
    ownership: shown === "ownership",
  };
}

function begin(message) {
  say("");
  asked = message;
  connection.send(message);
}

/** The same engines at another position. */
function goOnFrom(moves, kept) {
  const changed = { ...watched.board, moves };
  if (watched.board.record) changed.kept = kept;
  begin({ ...watched, board: changed, ownership: shown === "ownership" });
}

let watched = null;

const extend = (text) => goOnFrom([...board.moves, text], board.kept);

function back() {
  if (board.moves.length) goOnFrom(board.moves.slice(0, -1), board.kept);
  else if (board.kept) goOnFrom([], board.kept - 1);
}

function run(playouts) {
  say("");
  connection.send(playouts ? { type: "run", playouts } : { type: "run" });
}

// ---- what the server says

function onBoard(message) {
  board = message;
  watched = asked ?? watched;
  asked = null;
  panels.forEach((panel) => panel.forget());
  if (panels.length !== watched.engines.length) {
    panels = watched.engines.map((_, number) => new Panel(number));
    byId("engines-shown").replaceChildren(...panels.map((panel) => panel.element));
  }
  byId("back").disabled = board.all_moves.length === 0;
}

function onLook(message, isRunning) {
  ownership = message.ownership;
  message.engines.forEach((engine, number) => panels[number].look(engine));
  showRunning(isRunning);
}

function showRunning(isRunning) {
  byId("run").disabled = isRunning;
  byId("stop").disabled = !isRunning;
  for (const name of ["step1", "step100", "step1000"]) byId(name).disabled = isRunning;
  const turn = board.players[board.to_move];
  byId("status").textContent = isRunning ? `searching for ${turn}` : `${turn} to move; stopped`;
}

const connection = new Connection("watch", {
  greet: () => {
    asked ??= watched ?? chosen();
    return asked;
  },
  handlers: {
    error: ({ about }) => { if (about === "watch" || about === null) asked = null; },
    board: onBoard,
    running: () => showRunning(true),
    look: (message) => onLook(message, !byId("stop").disabled),
    stopped: (message) => onLook(message, false),
    children: ({ engine, path, children }) => panels[engine].children(path, children),
    tree: ({ tree }) => download("tree.json", JSON.stringify(tree, null, 1), "application/json"),
  },
});

// ---- what the person does

byId("setup").addEventListener("submit", (event) => { event.preventDefault(); begin(chosen()); });
byId("back").addEventListener("click", back);
byId("run").addEventListener("click", () => run(null));
byId("stop").addEventListener("click", () => connection.send({ type: "stop" }));
byId("step1").addEventListener("click", () => run(1));
byId("step100").addEventListener("click", () => run(100));
byId("step1000").addEventListener("click", () => run(1000));
fileButton(byId("load"), byId("file"), (record) => {
  const message = chosen();
  begin({ ...message, board: { ...message.board, record } });
}, say);
for (const button of document.querySelectorAll("[data-shown]")) {
  button.addEventListener("click", () => {
    const before = shown;
    shown = button.dataset.shown;
    for (const other of document.querySelectorAll("[data-shown]")) other.setAttribute("aria-pressed", other === button);
    if ((shown === "ownership") !== (before === "ownership")) {
      connection.send({ type: "ownership", shown: shown === "ownership" });
    }
    panels.forEach((panel) => panel.draw());
  });
}
