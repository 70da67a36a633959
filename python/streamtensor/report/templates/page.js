"use strict";
// Search, sorting, folding and zoom. What the page says stands in its tables; only the timeline is drawn here.

const run = JSON.parse(document.getElementById("run-data").textContent);
const tables = [...document.querySelectorAll("table.sortable")].map(table => ({
  element: table,
  body: table.tBodies[0],
  modules: [...table.querySelectorAll("tr.module")],
  rows: [...table.querySelectorAll("tr.row")],
  order: null,
}));
const state = { words: [], folded: new Set(), grouped: true, from: 0, to: run.cycles };
const pictures = []; // each with what shows a part of it
const find = id => document.getElementById(id);

// --- search, modules ---

const isWithin = (path, module) => path === module || (module !== "" && path.startsWith(module + "."));
const matches = text => state.words.every(word => text.includes(word));

function isFolded(path, itself) {
  if (state.words.length > 0) return false; // what is searched for is shown
  return [...state.folded].some(module => isWithin(path, module) && (itself || path !== module));
}

function show(table) {
  let shown = 0;
  const found = new Set();
  for (const row of table.rows) {
    const match = matches(row.dataset.text);
    shown += match;
    if (match) found.add(row.dataset.module);
    row.hidden = !match || (state.grouped && isFolded(row.dataset.module, true));
  }
  for (const module of table.modules) {
    const path = module.dataset.module;
    const any = [...found].some(each => isWithin(each, path));
    module.hidden = !state.grouped || !any || isFolded(path, false);
    module.dataset.open = state.folded.has(path) && state.words.length === 0 ? "no" : "yes";
  }
  document.querySelector(`.shown[data-of="${table.element.id}"]`).textContent = `${shown} of ${table.rows.length}`;
}

const boxOf = part => ["x", "y", "width", "height"].map(name => Number(part.querySelector("rect").getAttribute(name)));

// The place around what a search finds, with some room; nothing if it finds nothing.
function around(parts) {
  const boxes = parts.map(boxOf);
  if (boxes.length === 0) return null;
  const room = 120;
  const left = Math.min(...boxes.map(box => box[0])) - room, top = Math.min(...boxes.map(box => box[1])) - room;
  const right = Math.max(...boxes.map(box => box[0] + box[2])) + room;
  return [left, top, right - left, Math.max(...boxes.map(box => box[1] + box[3])) + room - top];
}

function mark() {
  for (const { svg, look, home } of pictures) {
    const parts = [...svg.querySelectorAll("g[data-text]")];
    const found = state.words.length > 0 ? parts.filter(part => matches(part.dataset.text)) : parts;
    for (const part of parts) part.classList.toggle("lost", !found.includes(part));
    look(found.length < parts.length ? around(found) ?? home : home);
  }
}

function showAll() {
  tables.forEach(show);
  find("fold").textContent = state.folded.size === 0 ? "fold all" : "unfold all";
  drawTimeline();
}

function search(text) {
  state.words = text.toLowerCase().split(/\s+/).filter(word => word !== "");
  showAll();
  mark();
}

// --- sorting ---

const valueOf = (row, field) => row.querySelector(`[data-field="${field}"]`)?.dataset.value ?? "";

function compare(left, right) {
  const [a, b] = [Number(left), Number(right)];
  return left !== "" && right !== "" && !isNaN(a) && !isNaN(b) ? a - b : left.localeCompare(right);
}

function sorted(rows, order) {
  if (order === null) return rows;
  const keyed = rows.map(row => [valueOf(row, order.field), row]);
  return keyed.sort((a, b) => order.sign * compare(a[0], b[0])).map(pair => pair[1]);
}

function arrange(table) {
  const rows = sorted(table.rows, table.order);
  if (!state.grouped || table.modules.length === 0) {
    table.body.append(...table.modules, ...rows);
    return;
  }
  for (const module of table.modules)
    table.body.append(module, ...rows.filter(row => row.dataset.module === module.dataset.module));
}

function sortBy(table, heading, down) {
  for (const other of table.element.tHead.rows[0].cells) delete other.dataset.order;
  heading.dataset.order = down ? "down" : "up";
  table.order = { field: heading.dataset.field, sign: down ? -1 : 1 };
  arrange(table);
}

// --- timeline ---

const kinds = ["memory_stall", "output_stall", "input_stall"];

// The share of its cycles from `from` to `to` that a task waits, by the digits of its parts.
function waiting(task, kind, from, to) {
  const digits = task[kind];
  const first = Math.floor(from / task.part), last = Math.max(first, Math.ceil(to / task.part) - 1);
  let sum = 0;
  for (let part = first; part <= last && part < digits.length; ++part) sum += parseInt(digits[part], 36) / 35;
  return sum / (last - first + 1);
}

function prepare(canvas) {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  return [context, canvas.width, canvas.height, scale];
}

function drawTask(canvas) {
  const task = run.tasks[canvas.dataset.task];
  const [context, width, height] = prepare(canvas);
  const cycles = (state.to - state.from) / width;
  const top = height * 0.12, full = height * 0.76;
  for (let x = 0; x < width; ++x) {
    const from = Math.max(0, state.from + x * cycles), to = Math.min(task.end, state.from + (x + 1) * cycles);
    if (to <= from) continue;
    let y = top, left = 1;
    for (const kind of kinds) {
      const share = Math.min(left, waiting(task, kind, from, to));
      context.fillStyle = run.colours[kind];
      context.globalAlpha = kind === "input_stall" && to <= task.start ? 0.25 : 1;
      context.fillRect(x, y, 1, share * full);
      y += share * full;
      left -= share;
    }
    context.globalAlpha = 1;
    context.fillStyle = run.colours.busy;
    if (to > task.start) context.fillRect(x, y, 1, left * full);
  }
}

function stepFor(cycles, ticks) {
  const least = cycles / ticks, power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].map(each => each * power).find(each => each >= least));
}

function drawAxis(canvas) {
  const [context, width, height, scale] = prepare(canvas);
  const cycles = state.to - state.from, step = stepFor(cycles, width / scale / 110);
  context.font = `${11 * scale}px system-ui, sans-serif`;
  context.fillStyle = "#52514e";
  for (let tick = Math.ceil(state.from / step) * step; tick <= state.to; tick += step) {
    const x = (tick - state.from) / cycles * width;
    context.fillRect(x, height - 5 * scale, scale, 5 * scale);
    const label = tick.toLocaleString("en");
    context.fillText(label, Math.min(x, width - context.measureText(label).width), height - 8 * scale);
  }
}

// Only the rows that can be seen: there may be thousands.
function drawTimeline() {
  find("from").value = Math.round(state.from);
  find("to").value = Math.round(state.to);
  const seen = find("timeline").parentElement.getBoundingClientRect();
  drawAxis(document.querySelector("#timeline canvas.axis"));
  for (const canvas of document.querySelectorAll("#timeline td canvas")) {
    const box = canvas.getBoundingClientRect(); // empty in a hidden row
    if (box.height > 0 && box.bottom >= seen.top && box.top <= seen.bottom) drawTask(canvas);
  }
}

let drawingAsked = false;

function askForDrawing() {
  if (drawingAsked) return;
  drawingAsked = true;
  requestAnimationFrame(() => {
    drawingAsked = false;
    drawTimeline();
  });
}

function zoomTo(from, to) {
  const length = Math.min(run.cycles, Math.max(16, to - from));
  state.from = Math.min(Math.max(0, from), run.cycles - length);
  state.to = state.from + length;
  askForDrawing();
}

// --- what wheel and drag do, for the timeline and the pictures ---

// `zoom(event, factor)` about the cursor, `move(dx, dy)` by shares of the size, `reset()`.
function watch(element, zoom, move, reset) {
  let last = null;
  element.addEventListener("wheel", event => {
    if (!event.target.closest("canvas, svg")) return;
    event.preventDefault();
    zoom(event, event.deltaY > 0 ? 1.25 : 0.8);
  }, { passive: false });
  element.addEventListener("pointerdown", event => {
    if (event.target.closest("canvas, svg")) last = event;
  });
  addEventListener("pointermove", event => {
    if (last === null) return;
    move(event.clientX - last.clientX, event.clientY - last.clientY, last.target.closest("canvas, svg"));
    last = { clientX: event.clientX, clientY: event.clientY, target: last.target };
  });
  addEventListener("pointerup", () => { last = null; });
  element.addEventListener("dblclick", reset);
}

function watchTimeline() {
  const zoom = (event, factor) => {
    const box = event.target.getBoundingClientRect();
    const at = state.from + (event.clientX - box.left) / box.width * (state.to - state.from);
    zoomTo(at - (at - state.from) * factor, at + (state.to - at) * factor);
  };
  const move = (dx, dy, canvas) => {
    const by = -dx / canvas.clientWidth * (state.to - state.from);
    zoomTo(state.from + by, state.to + by);
  };
  find("timeline").parentElement.addEventListener("scroll", askForDrawing);
  watch(find("timeline"), zoom, move, () => zoomTo(0, run.cycles));
}

// What is shown at first: all of it, or the top at a size that can be read.
function homeOf(svg, whole) {
  const readable = [1700, 800];
  if (whole[2] <= readable[0] * 1.5 && whole[3] <= readable[1] * 1.5) return whole;
  const boxes = [...svg.querySelectorAll("g[data-text]")].map(boxOf).filter(box => box[1] < readable[1]);
  const middle = boxes.reduce((sum, box) => sum + box[0] + box[2] / 2, 0) / boxes.length;
  return [middle - readable[0] / 2, 0, ...readable];
}

function watchPicture(svg) {
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  let [x, y, width, height] = whole;
  const set = () => svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  const look = part => {
    [x, y, width, height] = part;
    set();
  };
  const unit = () => Math.max(width / svg.clientWidth, height / svg.clientHeight);
  const zoom = (event, factor) => {
    const box = svg.getBoundingClientRect();
    x += (event.clientX - box.left) / box.width * width * (1 - factor);
    y += (event.clientY - box.top) / box.height * height * (1 - factor);
    width *= factor;
    height *= factor;
    set();
  };
  const move = (dx, dy) => {
    x -= dx * unit();
    y -= dy * unit();
    set();
  };
  watch(svg, zoom, move, () => look(whole));
  pictures.push({ svg, look, home: homeOf(svg, whole) });
}

// --- the address: #search=…&from=…&to=…&sort=TABLE.COLUMN&fold=MODULE, or the name of a section ---

// The largest first.
function sortAsSaid(place) {
  const [id, field] = place.split(".");
  const table = tables.find(each => each.element.id === id);
  const heading = table && [...table.element.tHead.rows[0].cells].find(cell => cell.dataset.field === field);
  if (heading) sortBy(table, heading, true);
}

function readAddress() {
  if (location.hash !== "" && !location.hash.includes("=")) return; // a section
  const given = new URLSearchParams(location.hash.slice(1));
  find("search").value = given.get("search") ?? "";
  if (given.has("from") || given.has("to"))
    zoomTo(Number(given.get("from")) || 0, Number(given.get("to")) || run.cycles);
  given.getAll("sort").forEach(sortAsSaid);
  state.folded = new Set([...state.folded, ...given.getAll("fold")]);
  search(find("search").value);
}

function writeAddress() {
  const text = find("search").value;
  history.replaceState(null, "", text === "" ? "#" : "#" + new URLSearchParams({ search: text }));
}

function start() {
  find("search").addEventListener("input", () => {
    writeAddress();
    search(find("search").value);
  });
  find("grouped").addEventListener("change", event => {
    state.grouped = event.target.checked;
    tables.forEach(arrange);
    showAll();
  });
  find("fold").addEventListener("click", () => {
    const all = tables.flatMap(table => table.modules.map(module => module.dataset.module));
    state.folded = new Set(state.folded.size === 0 ? all : []);
    showAll();
  });
  for (const table of tables) {
    for (const heading of table.element.tHead.rows[0].cells)
      if (heading.querySelector("canvas") === null) heading.addEventListener("click", () => sortBy(table, heading, heading.dataset.order !== "down"));
    for (const module of table.modules)
      module.addEventListener("click", () => {
        const path = module.dataset.module;
        if (!state.folded.delete(path)) state.folded.add(path);
        showAll();
      });
  }
  for (const id of ["from", "to"])
    find(id).addEventListener("change", () => zoomTo(Number(find("from").value), Number(find("to").value)));
  find("whole").addEventListener("click", () => zoomTo(0, run.cycles));
  watchTimeline();
  document.querySelectorAll(".picture svg").forEach(watchPicture);
  addEventListener("resize", askForDrawing);
  addEventListener("hashchange", readAddress);
  readAddress();
  showAll();
}

start();
document.documentElement.dataset.state = errors.length === 0 ? "ready" : errors.join("; ");
