// Draws every chart of the page from the numbers beside it. Nothing is fetched.
"use strict";
(() => {
  const charts = [];
  const shown = matchMedia("(prefers-color-scheme: dark)");
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const number = (value) => (value == null ? "–" : value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 0.1 ? 4 : 2 }));
  const moment = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ").replace(" 00:00", "");

  const marks = {
    up: (p, x, y, r) => { p.moveTo(x, y - r); p.lineTo(x + r, y + r); p.lineTo(x - r, y + r); p.closePath(); },
    down: (p, x, y, r) => { p.moveTo(x, y + r); p.lineTo(x + r, y - r); p.lineTo(x - r, y - r); p.closePath(); },
    cross: (p, x, y, r) => { p.moveTo(x - r, y - r); p.lineTo(x + r, y + r); p.moveTo(x + r, y - r); p.lineTo(x - r, y + r); },
  };

  function marked(look, ink) {
    return {
      paths: () => null,
      points: {
        show: (u, i) => {
          const path = new Path2D(), r = 4 * devicePixelRatio, s = u.series[i];
          u.data[0].forEach((at, n) => {
            const value = u.data[i][n];
            if (value == null || at < u.scales.x.min || at > u.scales.x.max) return;
            marks[look](path, u.valToPos(at, "x", true), u.valToPos(value, s.scale, true), r);
          });
          u.ctx.save();
          u.ctx.strokeStyle = u.ctx.fillStyle = ink;
          u.ctx.lineWidth = 1.5 * devicePixelRatio;
          if (look !== "cross") u.ctx.fill(path);
          u.ctx.stroke(path);
          u.ctx.restore();
          return false;
        },
      },
    };
  }

  function series(s) {
    const ink = color(s.ink), base = { label: s.label, scale: s.scale, stroke: ink, value: (_, v) => number(v) };
    if (s.look in marks) return { ...base, ...marked(s.look, ink) };
    if (s.look === "bars") return { ...base, fill: ink, width: 0, paths: uPlot.paths.bars({ size: [0.85, 60] }), points: { show: false } };
    if (s.look === "dots") return { ...base, width: 1.5, spanGaps: false, points: { show: true, size: 9, fill: ink } };
    if (s.look === "fill") return { ...base, fill: ink + "40", width: 1, points: { show: false } };
    return { ...base, width: 1.5, spanGaps: true, points: { show: false } };
  }

  function options(spec, width) {
    const axis = { stroke: color("quiet"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line") } };
    const timed = !spec.linear && !spec.ticks.length, falls = spec.series.some((s) => s.scale === "fall");
    const bars = spec.series.some((s) => s.look === "bars" || s.look === "dots"); // from zero, with room beside
    const needed = spec.x.length * (6.5 * Math.max(0, ...spec.ticks.map((name) => name.length)) + 6);
    const each = Math.ceil(needed / (width - 90)); // where not all names have room, every second, third, ...
    const named = spec.ticks.length
      ? { splits: spec.x, values: (_, at) => at.map((n) => (n % each ? "" : spec.ticks[n] ?? "")) } : timed ? {} : { values: (_, at) => at.map(number) };
    const said = (_, v) => (v == null ? "–" : spec.ticks.length ? spec.ticks[v] : timed ? moment(v) : number(v));
    const step = spec.x.length > 1 ? spec.x[1] - spec.x[0] : 1;
    const room = (_, low, high) => (spec.x.length > 1 ? [low - step / 1.5, high + step / 1.5] : [spec.x[0] - 1, spec.x[0] + 1]);
    const zero = (_, low, high) => {
      const bottom = Math.min(low, 0), top = Math.max(high, 0), more = (top - bottom) * 0.08;
      return more ? [bottom && bottom - more, top && top + more] : [0, 1];
    };
    return {
      width, height: 320, tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), "Etc/UTC"),
      cursor: { y: false, drag: { x: true, y: false } },
      scales: {
        x: { time: timed, ...(bars ? { range: room } : {}) },
        ...(bars ? { y: { range: zero } } : {}),
        ...(falls ? { fall: { range: (_, low) => [low * 4 || -1, 0] } } : {}),
      },
      axes: [
        { ...axis, ...named },
        { ...axis, size: 70, values: (_, at) => at.map(number) },
        ...(falls ? [{ ...axis, scale: "fall", side: 1, size: 70, grid: { show: false }, values: (_, at) => at.map(number) }] : []),
      ],
      series: [{ label: spec.across, value: said }, ...spec.series.map(series)],
    };
  }

  function draw(place, spec) {
    const width = Math.max(280, place.clientWidth);
    const chart = new uPlot(options(spec, width), [spec.x, ...spec.series.map((s) => s.values)], place);
    place.dataset.drawn = String(spec.x.length);
    return chart;
  }

  function walk(place, chart, event) {
    const last = chart.data[0].length - 1, now = chart.cursor.idx ?? -1;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last, PageUp: now - 25, PageDown: now + 25 }[event.key];
    if (event.key === "Escape") chart.setData(chart.data, true);
    if (to === undefined) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(last, to));
    chart.setCursor({ left: chart.valToPos(chart.data[0][at], "x"), top: 10 });
    say(place, chart, at);
  }

  // For who hears the page: the legend changes in silence.
  function say(place, chart, at) {
    const rows = chart.series.map((s, n) => [s.label, chart.data[n][at], n, s]).filter(([, value]) => value != null);
    const told = rows.map(([label, value, n, s]) => `${label} ${s.value(chart, value, n, at)}`);
    place.parentElement.querySelector("[aria-live]").textContent = [...told, ...(told.length > 1 ? [] : ["no value"])].join(", ");
  }

  for (const place of document.querySelectorAll("[data-chart]")) {
    const spec = JSON.parse(document.getElementById(place.dataset.chart).textContent);
    if (!spec.x.length) { place.textContent = "Nothing to draw."; continue; }
    const one = { place, spec, chart: draw(place, spec) };
    place.addEventListener("keydown", (event) => walk(place, one.chart, event));
    charts.push(one);
  }
  const again = () => charts.forEach((one) => { one.chart.destroy(); one.chart = draw(one.place, one.spec); });
  shown.addEventListener("change", again);
  let wait;
  addEventListener("resize", () => { clearTimeout(wait); wait = setTimeout(again, 150); });
})();
