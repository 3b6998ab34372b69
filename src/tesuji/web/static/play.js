// The page to play on. The game is kept here, not by the server: a lost connection, or a new page, goes on with it.

import { Board } from "./board.js";
import { Connection, byId, count, download, html, percent, say } from "./common.js";
import { PLAYERS, Setup, fileButton } from "./setup.js";

const KEPT = "tesuji-play";

const setup = new Setup(byId("fields"), showColours);
const board = new Board(byId("board"), { onMove: (cell) => move(cell), label: "the board" });

/** The message that began the game, with its moves so far; it is all that is needed to go on. */
let game = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
/** A new game that the server has not agreed to yet. */
let asked = null;
let state = null;
let extras = {};

function showColours(name) {
  const chosen = byId("person").value || "0";
  byId("person").replaceChildren(...PLAYERS[name].map((player, number) =>
    html("option", { value: number }, `${player}${number ? "" : ", first"}`)));
  byId("person").value = chosen;
}

function chosenGame() {
  const [kind, amount] = byId("budget").value.split(":");
  return {
    type: "new", board: setup.board(), person: Number(byId("person").value), engine: byId("engine").value.trim() || "best",
    [kind]: Number(amount),
  };
}

function begin(message) {
  asked = message;
  tell(message);
}

function tell(message) {
  say("");
  if (connection.send(message)) byId("board").setAttribute("aria-busy", true);
}

const move = (cell) => tell({ type: "move", move: cell });

// ---- what the server says

function onState(message) {
  state = message;
  extras = { dead: message.dead };
  game = asked ?? game;
  asked = null;
  game.board = { ...game.board, kept: message.kept, moves: message.moves };
  if (!game.board.record) delete game.board.kept;
  if (message.resigned === null) delete game.resigned;
  else game.resigned = message.resigned;
  sessionStorage.setItem(KEPT, JSON.stringify(game));
  byId("hints").replaceChildren();
  if (message.answer) describe(message.answer);
  draw();
}

function describe(answer) {
  const details = answer.playouts
    ? ` and gives itself ${percent(answer.value)} (${count(answer.playouts)} playouts in ${answer.seconds.toFixed(2)} s)` : "";
  byId("hints").textContent = `The engine ${answer.text === "resigns" ? "resigns" : `plays ${answer.text}`}${details}.`;
}

function draw() {
  byId("board").setAttribute("aria-busy", state.thinking);
  board.draw(state, { ...extras, showLegal: byId("legal").checked });
  const mine = !state.over && !state.thinking;
  const special = state.legal.filter((number) => number >= state.rows * state.columns);
  const turn = special.length === state.legal.length ? "You have to pass" : "Your move";
  byId("status").textContent = state.over ? state.result
    : `${state.thinking ? "The engine thinks" : turn}, ${state.players[state.to_move]}`;
  const taken = state.captures ? `, ${state.captures.join(" and ")} stones taken` : "";
  byId("players").textContent = `You: ${state.players[state.person]}. Engine: ${state.engine}${taken}`;
  byId("moves").textContent = state.all_moves.map((text, index) => `${index + 1}. ${text}`).join("  ") || "no moves yet";
  byId("moves").scrollTop = byId("moves").scrollHeight;
  byId("pass").textContent = state.game === "havannah" ? "Swap" : "Pass";
  byId("pass").disabled = !mine || special.length === 0;
  byId("hint").disabled = !mine;
  byId("resign").disabled = state.over;
  byId("undo").disabled = state.all_moves.length === 0;
}

function onHint({ moves }) {
  extras = { hints: moves.slice(0, 1).map((entry) => entry.move) };
  byId("hints").textContent = `Hint: ${moves.map(({ text, value }) => (value === undefined ? text : `${text} ${percent(value)}`)).join(", ")}`;
  draw();
}

function onScore({ text, dead, ownership }) {
  extras = { dead, ownership: ownership.length ? ownership : null };
  byId("hints").textContent = text;
  draw();
}

function onThinking({ playouts, queued }) {
  const waiting = queued > 1 ? ", others think too" : "";
  byId("status").textContent = `The engine thinks, ${state.players[state.to_move]}: ${count(playouts)} playouts${waiting}`;
}

const connection = new Connection("play", {
  greet: () => {
    asked ??= game ?? chosenGame();
    byId("board").setAttribute("aria-busy", true);
    return asked;
  },
  handlers: {
    error: ({ about }) => {
      if (about === "new" || about === null) asked = null;
      if (!state) sessionStorage.removeItem(KEPT);  // a game that this server does not know
      byId("board").setAttribute("aria-busy", Boolean(state?.thinking));
    },
    state: onState, hint: onHint, score: onScore, thinking: onThinking,
    saved: ({ name, text }) => { download(name, text); draw(); },
  },
});

// ---- what the person does

byId("setup").addEventListener("submit", (event) => { event.preventDefault(); begin(chosenGame()); });
byId("pass").addEventListener("click", () => state && move(state.rows * state.columns));
for (const name of ["undo", "hint", "score", "resign", "save"]) byId(name).addEventListener("click", () => tell({ type: name }));
byId("legal").addEventListener("change", () => state && draw());
fileButton(byId("load"), byId("file"), (record) => {
  const message = chosenGame();
  begin({ ...message, board: { ...message.board, record } });
}, say);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const button = { u: "undo", h: "hint", p: "pass", s: "score" }[event.key.toLowerCase()];
  if (button && !byId(button).disabled) byId(button).click();
});

showColours(setup.game.value);
if (game) {
  setup.show(game.board);
  showColours(game.board.game);
  byId("person").value = game.person;
  byId("engine").value = game.engine;
  byId("budget").value = game.playouts ? `playouts:${game.playouts}` : `seconds:${game.seconds}`;
}
