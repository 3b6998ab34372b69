// The page that follows matches, while they are played or afterwards.

import { Board } from "./board.js";
import { drawChart } from "./chart.js";
import { LINES } from "./colours.js";
import { Connection, byId, count, html, percent, say, showRows } from "./common.js";

const EVERY = 2000;  // milliseconds between two looks
const PAGE = 100;

const board = new Board(byId("board"), { label: "the game" });
let match = null;
let seen = -1;
let first = 0;
let game = null;
let now = 0;
/** Whether the last look is still unanswered: then no other is taken, since a large store needs its time. */
let isWaiting = false;

// ---- the list

function onMatches({ store, matches }) {
  isWaiting = match !== null;
  byId("status").textContent = `${store}: ${matches.length} ${matches.length === 1 ? "match" : "matches"}`;
  showRows(byId("matches"), matches, {
    key: "match",
    make: (entry) => html("tr", { "data-match": entry.match },
      html("td", {}, html("button", { class: "link", onclick: () => choose(entry.match) }, entry.game)),
      html("td", { class: "spec" }, entry.a), html("td", { class: "spec" }, entry.b),
      html("td", {}, entry.openings), html("td", { class: "figure" })),
    update: (row, entry) => {
      row.setAttribute("aria-selected", entry.match === match);
      row.lastChild.textContent = count(entry.games);
    },
  });
}

function choose(digest) {
  say("");
  match = digest;
  seen = -1;
  first = 0;
  look();
}

function look() {
  if (!connection.isOpen() || document.hidden) return;
  isWaiting = true;
  connection.send({ type: "matches" });
  if (match !== null) connection.send({ type: "match", match, seen, first });
}

// ---- one match

function onMatch(message) {
  isWaiting = false;
  if (message.match !== match || message.same) return;
  seen = message.seen;
  byId("details").hidden = false;
  byId("title").textContent = `${message.game}: A ${message.a} against B ${message.b}`;
  byId("standing").replaceChildren(...standing(message).map((line) => html("p", {}, line)));
  drawChart(byId("chart"), {
    title: "A's share of the points over games, with its 95% interval", xLabel: "games",
    series: [{
      label: "A", ...LINES[0], points: message.course.map(([games, share]) => [games, share]),
      band: message.course.map(([games, , low, high]) => [games, low, high]),
    }],
  });
  byId("range").textContent = message.listed.length
    ? `${message.first} to ${message.first + message.listed.length - 1} of ${count(message.seen)}` : "none here";
  byId("earlier").disabled = first === 0;
  byId("later").disabled = first + PAGE >= message.seen;
  showRows(byId("games"), message.listed.map((entry) => ({ ...entry, key: `${match} ${entry.number}` })), {
    key: "key",
    make: (entry) => html("tr", { "data-game": entry.number },
      html("td", {}, html("button", { class: "link", onclick: () => connection.send({ type: "game", match: message.match, number: entry.number }) }, entry.number)),
      html("td", {}, entry.a_is_first ? "A" : "B"),
      html("td", {}, entry.points === null ? "void" : entry.points),
      html("td", { class: "numbers" }, entry.plies),
      html("td")),
    update: (row, entry) => {
      row.setAttribute("aria-selected", isShown(entry.number));
      row.lastChild.textContent = entry.duplicate_of === null ? entry.ended_by : `${entry.ended_by}, repeats game ${entry.duplicate_of}`;
    },
  });
}

const isShown = (number) => game?.match === match && game.number === number;

function standing(message) {
  const [low, high] = message.interval;
  const end = (value, without) => (value === null ? without : `${value > 0 ? "+" : ""}${value.toFixed(0)}`);
  const lines = [
    `A has ${percent(message.fraction)} of the points in ${count(message.games)} games, 95% interval ${percent(low)} to ${percent(high)}.`,
    `${message.wins} won, ${message.draws} drawn, ${message.losses} lost; Elo ${end(message.elo, "")} (${end(message.elo_interval[0], "no bound")} to ${end(message.elo_interval[1], "no bound")}); openings ${message.openings}.`,
  ];
  const rest = [[message.void, "void"], [message.duplicates, "that repeat another, not counted"]].filter(([number]) => number);
  if (rest.length) lines.push(`Games ${rest.map(([number, what]) => `${what}: ${number}`).join("; ")}.`);
  return lines;
}

// ---- one game

function onGame(message) {
  game = message;
  byId("replay").hidden = false;
  const [one, other] = game.a_is_first ? [game.a, game.b] : [game.b, game.a];
  byId("game-title").textContent = `Game ${game.number}: ${one} begins against ${other}`;
  const points = game.points === null ? "void" : `A ${game.points}, B ${1 - game.points}`;
  byId("game-end").textContent = [`Ended by ${game.ended_by}: ${points}.`, game.reason, game.note,
    game.start ? null : game.moves.join(" ")].filter(Boolean).join(" ");
  byId("slider").max = Math.max(0, game.positions.length - 1);
  for (const row of document.querySelectorAll("[data-game]")) {
    row.setAttribute("aria-selected", isShown(Number(row.dataset.game)));
  }
  go(game.positions.length - 1);
}

function go(to) {
  if (!game?.start) return;
  now = Math.min(game.positions.length - 1, Math.max(0, to));
  board.draw({ ...game.start, ...game.positions[now] });
  byId("slider").value = now;
  const move = now ? `move ${now}, ${game.moves[now - 1]}${now <= game.opening ? " (opening)" : ""}` : "the start";
  byId("number").textContent = `${move} of ${game.moves.length}; ${game.positions[now].status}`;
}

const connection = new Connection("follow", {
  greet: () => { look(); return null; },
  handlers: { matches: onMatches, match: onMatch, game: onGame, error: () => { isWaiting = false; } },
});

setInterval(() => { if (!isWaiting) look(); }, EVERY);
document.addEventListener("visibilitychange", look);
byId("earlier").addEventListener("click", () => { first = Math.max(0, first - PAGE); seen = -1; look(); });
byId("later").addEventListener("click", () => { first += PAGE; seen = -1; look(); });
byId("first").addEventListener("click", () => go(0));
byId("previous").addEventListener("click", () => go(now - 1));
byId("next").addEventListener("click", () => go(now + 1));
byId("final").addEventListener("click", () => go(Infinity));
byId("slider").addEventListener("input", () => go(Number(byId("slider").value)));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select")) return;
  if (event.key === "ArrowLeft") go(now - 1);
  if (event.key === "ArrowRight") go(now + 1);
});
