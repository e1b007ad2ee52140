// Buttons, keys and fingers.
function connect(player) {
  const { board } = player;
  const clicks = {
    play: () => player.toggle(), back: () => player.by(-1), forward: () => player.by(1),
    first: () => player.to(0), last: () => player.to(Infinity),
    "battle-back": () => player.byBattle(-1), "battle-forward": () => player.byBattle(1),
    closer: () => board.zoom(1.5), farther: () => board.zoom(1 / 1.5), whole: () => board.fit(),
    check: () => player.check(), save: () => player.save(), print: () => window.print(),
    help: () => toggleHelp(),
    find: () => player.find($("head").value),
  };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", () => { act(); touchable(board); });
  $("slider").addEventListener("input", () => { player.stop(); player.go(Number($("slider").value), { quick: true }); });
  $("turn").addEventListener("change", () => player.to(player.turns.get(Number($("turn").value))));
  $("phase").addEventListener("change", () => player.to(Number($("phase").value)));
  $("battle").addEventListener("change", () => { if ($("battle").value) player.to(Number($("battle").value)); });
  $("view").addEventListener("change", () => {
    const { number } = player.step;
    player.stop();
    player.read($("view").value);
    player.to(number);
  });
  $("standing").addEventListener("toggle", () => player.list());
  $("head").addEventListener("keydown", (event) => { if (event.key === "Enter") clicks.find(); });
  for (const name of ["losses", "score"]) {
    $(name).addEventListener("click", (event) => {
      const chart = player.charts.find((found) => found.root.id === name);
      if (chart) player.to(chart.stepAt(event));
    });
  }
  window.addEventListener("resize", () => board.refit());
  window.addEventListener("hashchange", () => player.follow());
  window.addEventListener("beforeprint", () => { player.stop(); player.list(); player.story(); });
  keys(player, clicks);
  fingers(board, (place) => player.inspect(place), (dx, dy) => swiped(player, dx, dy));
  strokes(player);
}

// A stroke over the story is a step, too.
function strokes(player) {
  let touch = null;
  $("story").addEventListener("touchstart", (event) => { touch = event.changedTouches[0]; }, { passive: true });
  $("story").addEventListener("touchend", (event) => {
    const end = event.changedTouches[0];
    if (touch) swiped(player, end.clientX - touch.clientX, end.clientY - touch.clientY);
    touch = null;
  }, { passive: true });
}

function toggleHelp(open = $("keys").hidden) {
  $("keys").hidden = !open;
  $("help").setAttribute("aria-expanded", String(open));
  if (open) $("keys").focus();
}

function keys(player, clicks) {
  const { board } = player;
  const pressed = {
    " ": clicks.play, k: clicks.play, ArrowLeft: clicks.back, ArrowRight: clicks.forward, Home: clicks.first, End: clicks.last,
    n: clicks["battle-forward"], b: clicks["battle-back"],
    t: () => player.byTurn(1), T: () => player.byTurn(-1), p: () => player.byPhase(1), P: () => player.byPhase(-1),
    "+": () => player.bySpeed(1), "=": () => player.bySpeed(1), "-": () => player.bySpeed(-1),
    s: () => { $("skip").checked = !$("skip").checked; },
    v: () => {
      const view = $("view");
      view.selectedIndex = (view.selectedIndex + 1) % view.options.length;
      view.dispatchEvent(new Event("change"));
    },
    z: clicks.closer, x: clicks.farther, 0: clicks.whole, c: clicks.check, "?": clicks.help,
    Escape: () => toggleHelp(false),
  };
  const moves = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = event.target.tagName;
    const typing = tag === "INPUT" || tag === "SELECT";
    const own = tag === "BUTTON" || tag === "SUMMARY"; // space and enter are theirs
    if ((typing && event.key !== "Escape") || (own && event.key === " ")) return;
    const act = event.shiftKey && moves[event.key] ? () => board.pan(...moves[event.key]) : pressed[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    touchable(board);
  });
}

function swiped(player, dx, dy) {
  if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) player.by(dx < 0 ? 1 : -1);
}

// The page begins.
{
  const read = (id) => unpacked($(id).textContent);
  const data = JSON.parse(read("data")), texts = read("log").split("\n");
  $("view").append(...data.readers.map(([name, words]) => option(name, words)));
  $("view").value = data.reader;
  $("view").disabled = data.readers.length < 2;
  const player = new Player(data, texts);
  player.board.keep(read("faces").split("\n"));
  connect(player);
  player.board.fit();
  touchable(player.board);
  player.follow();
  window.replay = player;
}
