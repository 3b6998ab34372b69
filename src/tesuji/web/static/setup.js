// The fields that say which game it is; on the pages to play and to watch.

import { html } from "./common.js";

const SIZES = {
  go: [[9, "9×9"], [13, "13×13"], [19, "19×19"]],
  othello: [[8, "8×8"]],
  havannah: [[4, "side 4"], [5, "side 5"], [6, "side 6"], [8, "side 8"], [10, "side 10"]],
};
const USUAL_SIZE = { go: 9, othello: 8, havannah: 5 };
export const PLAYERS = { go: ["Black", "White"], othello: ["Black", "White"], havannah: ["White", "Black"] };

export const ENGINES = [
  "best", "uct", "uct(c=0.4)", "accelerated(k=3)", "accelerated(k=2)", "discounted(k=3)", "rave", "ucb-tuned1",
  "uct+playout=knowledge", "uct+solver", "bast",
];

export class Setup {
  /** `onGame` is called when another game is chosen. */
  constructor(element, onGame = () => {}) {
    this.game = html("select", { id: "game" },
      html("option", { value: "go" }, "Go"), html("option", { value: "othello" }, "Othello"),
      html("option", { value: "havannah" }, "Havannah"));
    this.size = html("select", { id: "size" });
    this.komi = html("input", { id: "komi", type: "number", step: "0.5", min: "-100", max: "100", value: "7.5" });
    this.handicap = html("select", { id: "handicap" },
      [0, 2, 3, 4, 5, 6, 7, 8, 9].map((stones) => html("option", { value: stones }, stones || "none")));
    this.swap = html("input", { id: "swap", type: "checkbox" });
    this.onlyGo = [html("label", {}, "Komi", this.komi), html("label", {}, "Handicap stones", this.handicap)];
    this.onlyHavannah = html("label", { class: "check" }, this.swap, "with the swap rule");
    element.append(html("label", {}, "Game", this.game), html("label", {}, "Board", this.size),
      ...this.onlyGo, this.onlyHavannah);
    document.body.append(html("datalist", { id: "engines" }, ENGINES.map((value) => html("option", { value }))));
    this.game.addEventListener("change", () => { this.refresh(); onGame(this.game.value); });
    this.refresh();
  }

  refresh() {
    const game = this.game.value;
    this.size.replaceChildren(...SIZES[game].map(([value, text]) => html("option", { value }, text)));
    this.size.value = USUAL_SIZE[game];
    this.onlyGo.forEach((label) => { label.hidden = game !== "go"; });
    this.onlyHavannah.hidden = game !== "havannah";
  }

  /** The board as the server wants it, before the first move. */
  board() {
    const board = { game: this.game.value, size: Number(this.size.value) };
    if (board.game === "go") {
      board.komi = Number(this.komi.value);
      board.handicap = Number(this.handicap.value);
    }
    if (board.game === "havannah") board.swap = this.swap.checked;
    return board;
  }

  /** Shows a board that came from elsewhere. */
  show(board) {
    if (this.game.value !== board.game) {
      this.game.value = board.game;
      this.refresh();
    }
    if (board.size) this.size.value = board.size;
    if (board.komi !== undefined && board.komi !== null) this.komi.value = board.komi;
    this.handicap.value = board.handicap ?? 0;
    this.swap.checked = Boolean(board.swap);
  }
}

/** Lets a button load a file; one that is too large is not even read. */
export function fileButton(button, input, onText, onError) {
  const largest = 100_000;
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > largest) onError(`${file.name} is too large for a record: at most ${largest / 1000} kB`);
    else {
      const text = await file.text();
      // What is no text becomes three bytes for one, or six, and the server would hang up.
      const sent = new Blob([JSON.stringify(text)]).size;
      if (sent > 2 * largest) onError(`${file.name} is no record: it is not text`);
      else onText(text);
    }
  });
}
