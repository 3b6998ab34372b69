// The board: any of the three games as SVG, for the mouse, the finger and the keyboard.

import { svg } from "./common.js";

const CELL = 32;
const MARGIN = 26;
const EMPTY = "2";
const OFF_BOARD = "3";

/** Where the cells lie, and how large all of it is. */
function geometry(state) {
  const { game, rows, columns, size } = state;
  const places = [];
  if (game === "havannah") {
    const height = CELL * 0.866;
    for (let cell = 0; cell < rows * columns; cell++) {
      const y = Math.floor(cell / columns), x = cell % columns;
      places.push([MARGIN + CELL * (x - y / 2 + size / 2), MARGIN + height * (y + 0.5)]);
    }
    return { places, width: 2 * MARGIN + CELL * columns, height: 2 * MARGIN + height * rows, radius: CELL * 0.4 };
  }
  for (let cell = 0; cell < rows * columns; cell++) {
    places.push([MARGIN + CELL * (cell % columns + 0.5), MARGIN + CELL * (Math.floor(cell / columns) + 0.5)]);
  }
  return { places, width: 2 * MARGIN + CELL * columns, height: 2 * MARGIN + CELL * rows, radius: CELL * 0.45 };
}

function hexagon([x, y], radius) {
  return [...Array(6).keys()]
    .map((corner) => (Math.PI / 180) * (60 * corner - 30))
    .map((angle) => `${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`)
    .join(" ");
}

export class Board {
  /** `onMove` is called with the number of a cell. */
  constructor(element, { onMove = null, label = "board" } = {}) {
    this.element = element;
    this.onMove = onMove;
    this.focused = null;
    this.layers = svg("g");
    this.targets = svg("g");
    element.append(this.layers, this.targets);
    element.classList.add("board");
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", label);
  }

  /** The class of a player's stones: in Havannah White begins. */
  colour(player) {
    return this.state.game === "havannah" ? ["white", "black"][player] : ["black", "white"][player];
  }

  /**
   * Draws a position. What lies on it: `heat` (a list of {cell, fill, text, ink}), `line` (the cells of a variation, in
   * order, begun by the player to move), `hints`, `dead` (cells), `ownership` (a number a cell, 1 for the first player).
   */
  draw(state, { heat = [], line = [], hints = [], dead = [], ownership = null, showLegal = false } = {}) {
    const isOther = this.state?.game !== state.game || this.state?.size !== state.size;
    this.state = state;
    this.geometry = geometry(state);
    const { width, height } = this.geometry;
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (isOther) this.targets.replaceChildren();
    this.layers.replaceChildren(
      ...this.ground(),
      ...(ownership ? this.owners(ownership) : []),
      ...heat.map((spot) => this.spot(spot)),
      ...this.stones(),
      ...(showLegal ? this.legalMarks() : []),
      ...this.marks({ hints, dead }),
      ...this.variation(line),
      ...heat.filter((spot) => spot.text).map((spot) => this.spotText(spot)),
    );
    if (this.onMove) this.drawTargets();
  }

  at(cell) {
    return this.geometry.places[cell];
  }

  // ---- layers, from below

  ground() {
    const { game, rows, columns, stars, names } = this.state;
    const { width, height } = this.geometry;
    if (game === "havannah") {
      const cells = this.geometry.places.flatMap((place, cell) =>
        this.state.cells[cell] === OFF_BOARD ? [] : [svg("polygon", { class: "hex", points: hexagon(place, CELL * 0.577) })]);
      const texts = this.geometry.places.flatMap(([x, y], cell) =>
        this.state.cells[cell] === EMPTY ? [svg("text", { class: "hex-coordinate", x, y }, names[cell])] : []);
      return [svg("rect", { class: "paper", width, height, rx: 6 }), ...cells, ...texts];
    }
    const onLines = game === "go";
    const inset = onLines ? 0.5 : 0;
    const lines = [];
    const [left, top] = [MARGIN + CELL * inset, MARGIN + CELL * inset];
    const [right, bottom] = [MARGIN + CELL * (columns - inset), MARGIN + CELL * (rows - inset)];
    const style = onLines ? "grid" : "felt-grid";
    for (let number = 0; number < columns + (onLines ? 0 : 1); number++) {
      lines.push(svg("line", { class: style, x1: left + CELL * number, x2: left + CELL * number, y1: top, y2: bottom }));
    }
    for (let number = 0; number < rows + (onLines ? 0 : 1); number++) {
      lines.push(svg("line", { class: style, y1: top + CELL * number, y2: top + CELL * number, x1: left, x2: right }));
    }
    for (const star of stars) lines.push(svg("circle", { class: "star", cx: this.at(star)[0], cy: this.at(star)[1], r: 3.2 }));
    return [svg("rect", { class: onLines ? "wood" : "felt", width, height, rx: 6 }), ...lines, ...this.coordinates()];
  }

  coordinates() {
    const { game, rows, columns, names } = this.state;
    const style = game === "go" ? "coordinate" : "felt-coordinate";
    const { width, height } = this.geometry;
    const texts = [];
    for (let column = 0; column < columns; column++) {
      const [x] = this.at(column);
      for (const y of [MARGIN * 0.5, height - MARGIN * 0.5]) {
        texts.push(svg("text", { class: style, x, y }, names[column].replace(/[0-9]+/, "")));
      }
    }
    for (let row = 0; row < rows; row++) {
      const [, y] = this.at(row * columns);
      for (const x of [MARGIN * 0.5, width - MARGIN * 0.5]) {
        texts.push(svg("text", { class: style, x, y }, names[row * columns].replace(/[^0-9]+/, "")));
      }
    }
    return texts;
  }

  owners(ownership) {
    return ownership.flatMap((share, cell) => {
      const [x, y] = this.at(cell);
      const side = CELL * 0.6 * Math.abs(share);
      if (Math.abs(share) < 0.15) return [];
      return [svg("rect", {
        class: this.colour(share > 0 ? 0 : 1), x: x - side / 2, y: y - side / 2, width: side, height: side, opacity: 0.55,
        "data-owner": share > 0 ? 0 : 1,
      })];
    });
  }

  spot({ cell, fill }) {
    const [x, y] = this.at(cell);
    if (this.state.game === "havannah") return svg("polygon", { points: hexagon([x, y], CELL * 0.54), fill, "data-heat": cell });
    return svg("rect", {
      x: x - CELL * 0.47, y: y - CELL * 0.47, width: CELL * 0.94, height: CELL * 0.94, rx: 5, fill, "data-heat": cell,
    });
  }

  spotText({ cell, text, ink }) {
    const [x, y] = this.at(cell);
    return svg("text", { class: "heat-text", x, y, fill: ink }, text);
  }

  stones() {
    return [...this.state.cells].flatMap((cell, index) => cell < EMPTY ? [this.stone(index, Number(cell))] : []);
  }

  stone(cell, player, attributes = {}) {
    const [cx, cy] = this.at(cell);
    return svg("circle", { class: this.colour(player), cx, cy, r: this.geometry.radius, "stroke-width": 1, ...attributes });
  }

  /** In Go what is forbidden is marked, since nearly all is allowed; in the others, what is allowed. */
  legalMarks() {
    const legal = new Set(this.state.legal);
    const { game, cells } = this.state;
    return [...cells].flatMap((cell, index) => {
      if (cell !== EMPTY || this.state.over) return [];
      const [x, y] = this.at(index);
      if (game !== "go") {
        if (!legal.has(index) || game === "havannah") return [];
        return [svg("circle", { class: "felt-dot", cx: x, cy: y, r: 4, "data-legal": index })];
      }
      if (legal.has(index)) return [];
      const d = CELL * 0.16;
      return [svg("path", { class: "forbidden", d: `M${x - d} ${y - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}`, "data-forbidden": index })];
    });
  }

  marks({ hints, dead }) {
    const { last } = this.state;
    const marks = [];
    if (last !== null && this.state.cells[last] < EMPTY) {
      const [cx, cy] = this.at(last);
      marks.push(svg("circle", { class: "last", cx, cy, r: CELL * 0.2, "data-last": last }));
    }
    for (const cell of hints) {
      if (cell >= this.geometry.places.length) continue;
      const [cx, cy] = this.at(cell);
      marks.push(svg("circle", { class: "hint", cx, cy, r: this.geometry.radius, "data-hint": cell }));
    }
    for (const cell of dead) {
      const [x, y] = this.at(cell);
      const d = CELL * 0.22;
      marks.push(svg("path", { class: "dead", d: `M${x - d} ${y - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}`, "data-dead": cell }));
    }
    return marks;
  }

  /** A variation as numbered stones; of two on one point the first is seen. */
  variation(line) {
    const shown = new Set();
    const parts = [];
    line.forEach((cell, index) => {
      if (cell >= this.geometry.places.length || shown.has(cell) || this.state.cells[cell] !== EMPTY) return;
      shown.add(cell);
      const player = index % 2 ? 1 - this.state.to_move : this.state.to_move;
      const [x, y] = this.at(cell);
      parts.push(this.stone(cell, player, { opacity: 0.92, "data-line": index + 1 }));
      parts.push(svg("text", { class: `stone-label on-${this.colour(player)}`, x, y }, index + 1));
    });
    return parts;
  }

  // ---- what can be pressed

  /** They stay from one drawing to the next: else a press would be lost when the board is drawn before the release. */
  drawTargets() {
    if (!this.targets.firstChild) this.makeTargets();
    const { cells, names, over, players, to_move: player } = this.state;
    const legal = new Set(this.state.legal);
    for (const target of this.targets.children) {
      const cell = Number(target.dataset.cell);
      const isLegal = legal.has(cell);
      const what = cells[cell] !== EMPTY ? players[cells[cell]] : isLegal ? "empty" : "empty, not allowed";
      target.setAttribute("class", isLegal ? "cell legal" : "cell");
      target.setAttribute("aria-label", `${names[cell]}, ${what}`);
      target.firstChild.setAttribute("class", isLegal && !over ? `ghost ${this.colour(player)}` : "no-ghost");
    }
  }

  makeTargets() {
    const cells = [...this.state.cells].flatMap((cell, index) => (cell === OFF_BOARD ? [] : [index]));
    this.focused = cells[Math.floor(cells.length / 2)];
    this.targets.replaceChildren(...cells.map((cell) => {
      const [cx, cy] = this.at(cell);
      return svg("g", {
        role: "button", "data-cell": cell, tabindex: cell === this.focused ? 0 : -1,
        onclick: () => { this.focus(cell); this.onMove(cell); },
        onkeydown: (event) => this.key(event, cell),
      }, svg("circle", { cx, cy, r: this.geometry.radius, "stroke-width": 1 }), svg("circle", { class: "aim", cx, cy, r: CELL * 0.49 }));
    }));
  }

  /** Tab comes to this cell, and arrows go on from it. */
  focus(cell) {
    this.target(this.focused).setAttribute("tabindex", -1);
    this.focused = cell;
    this.target(cell).setAttribute("tabindex", 0);
    this.target(cell).focus();
  }

  target(cell) {
    return this.element.querySelector(`[data-cell="${cell}"]`);
  }

  key(event, cell) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onMove(cell);
    } else if (event.key in steps) {
      event.preventDefault();
      this.walk(cell, steps[event.key]);
    }
  }

  /** To the nearest cell in a direction; a cell to the side counts as further away. */
  walk(from, [dx, dy]) {
    const [x, y] = this.at(from);
    let best = null, least = Infinity;
    this.geometry.places.forEach(([px, py], cell) => {
      if (this.state.cells[cell] === OFF_BOARD) return;
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (along <= 1 || along + 3 * aside >= least) return;
      best = cell;
      least = along + 3 * aside;
    });
    if (best !== null) this.focus(best);
  }
}
