"""The parts of the HTML page that are the same in every report: its styles, and the script of its filter. Without the script all of it can be read."""

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--panel:#f5f6f8;--ink:#1b1f24;--soft:#4d5662;--line:#c9ced6;--link:#0b57b0;
--pass:#0f6b33;--fail:#b3161b;--warn:#7d4e00;--gone:#ffe1e0;--new:#d8f5df;--hit:#ffec99;--hitink:#1b1f24}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--panel:#1e2329;--ink:#e8eaed;--soft:#b0b8c3;--line:#444c57;--link:#85b8ff;
--pass:#6fd394;--fail:#ff9c98;--warn:#f2c463;--gone:#5c2326;--new:#1c4a2b;--hit:#6b5600;--hitink:#fff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
header,main,footer{max-width:75rem;margin:0 auto;padding:0 1rem}
h1,h2,h3,h4,h5,p,li,summary,dd,dt,pre,a{overflow-wrap:anywhere}
h1{font-size:1.6rem;margin:1.2rem 0 .2rem}h2{font-size:1.3rem;margin:2rem 0 .5rem}h3{font-size:1.1rem;margin:1.5rem 0 .3rem}
h4,h5{font-size:1rem;margin:.5rem 0 .2rem}summary h4{display:inline;margin:0}
p{margin:.3rem 0}a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.soft{color:var(--soft)}
.status{font-weight:600;border:1px solid;border-radius:.3rem;padding:0 .35rem;white-space:nowrap}
.passed,.pass{color:var(--pass)}.check_failed,.error,.fail{color:var(--fail)}
.transient,.diverged,.inconclusive,.review,.unknown,.excluded,.deprecated{color:var(--warn)}
.tables{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:flex-start}
.wide{max-width:100%;overflow-x:auto}
table{border-collapse:collapse}
caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{border:1px solid var(--line);padding:.15rem .5rem;text-align:left;vertical-align:top}
th[scope=row]{overflow-wrap:anywhere;min-width:7rem;max-width:24rem}td.why{min-width:14rem}caption{white-space:nowrap}
th{background:var(--panel)}td.count{text-align:right;font-variant-numeric:tabular-nums}
.filter{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.7rem 1rem;margin:1rem 0;display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:flex-end}
.filter[hidden],[hidden]{display:none}
.filter label{display:flex;flex-direction:column;font-size:.9rem;max-width:100%}
.filter input,.filter select,.filter button{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:.3rem;padding:.25rem .5rem;max-width:100%}
.filter p{flex-basis:100%;margin:0}
.sample{content-visibility:auto;contain-intrinsic-size:auto 3rem;border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.3rem .8rem}
.sample>summary{cursor:pointer}
.finding{border-left:.25rem solid var(--line);padding-left:.7rem;margin:.7rem 0}
.finding.fail{border-color:var(--fail);color:inherit}.finding.unknown,.finding.review{border-color:var(--warn);color:inherit}.finding.pass{border-color:var(--pass);color:inherit}
pre,.said{white-space:pre-wrap;font:.9rem/1.45 ui-monospace,monospace;background:var(--panel);border-radius:.3rem;padding:.4rem .6rem;margin:.3rem 0}
mark{background:var(--hit);color:var(--hitink);font-weight:600}
del{background:var(--gone);color:inherit}ins{background:var(--new);color:inherit;text-decoration-thickness:2px}
dl{margin:.3rem 0;display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem .8rem}dt{color:var(--soft)}dd{margin:0}
.talk{list-style:none;margin:.3rem 0;padding:0}.talk li{margin:.3rem 0;padding-left:.6rem;border-left:.2rem solid var(--line)}
.turn{margin:.6rem 0;padding:.1rem .7rem}.turn.proves{outline:2px solid var(--fail);border-radius:.4rem}
.turn h5 .status{white-space:normal}
.user{margin-right:10%}.assistant{margin-left:4%}.call,.result{margin-left:8%}
footer{margin:2rem auto;color:var(--soft);border-top:1px solid var(--line)}
@media (max-width:40rem){dl{grid-template-columns:minmax(0,1fr)}.user,.assistant,.call,.result{margin-left:0;margin-right:0}}
@media print{:root{--paper:#fff;--panel:#fff;--ink:#000;--soft:#333;--line:#888;--link:#000;--pass:#0f6b33;--fail:#b3161b;--warn:#7d4e00;--gone:#ffe1e0;--new:#d8f5df;--hit:#ffec99;--hitink:#000}
.filter,.skip{display:none}details::details-content{content-visibility:visible;block-size:auto}.finding,.talk li,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}}
"""

SCRIPT = """
(function () {
  "use strict";
  var form = document.getElementById("filter");
  if (!form) return;
  var samples = Array.prototype.slice.call(document.querySelectorAll("details.sample"));
  var told = document.getElementById("told");
  var words = null;
  var waiting = null;
  function list(element, name) { return (element.getAttribute(name) || "").split("\\n"); }
  function apply() {
    var sought = form.elements.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var wanted = ["status", "level", "tag", "owner"].map(function (name) { return [name, form.elements[name].value]; });
    if (sought.length && !words) words = samples.map(function (sample) { return (sample.getAttribute("data-case") + " " + sample.textContent).toLowerCase(); });
    var shown = 0;
    samples.forEach(function (sample, place) {
      var section = sample.parentNode;
      var fits = wanted.every(function (pair) {
        return !pair[1] || list(pair[0] === "status" ? sample : section, "data-" + pair[0]).indexOf(pair[1].slice(1)) >= 0;
      }) && sought.every(function (word) { return words[place].indexOf(word) >= 0; });
      sample.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    document.querySelectorAll("section.case").forEach(function (section) { section.hidden = !section.querySelector("details.sample:not([hidden])"); });
    told.textContent = shown + " of " + samples.length + " samples shown";
  }
  function unfold(open) { samples.forEach(function (sample) { if (!sample.hidden) sample.open = open; }); }
  form.hidden = false;
  form.addEventListener("input", function () { clearTimeout(waiting); waiting = setTimeout(apply, 150); });
  form.addEventListener("submit", function (event) { event.preventDefault(); apply(); });
  form.addEventListener("reset", function () { setTimeout(apply, 0); });
  document.getElementById("open").addEventListener("click", function () { unfold(true); });
  document.getElementById("close").addEventListener("click", function () { unfold(false); });
  apply();
})();
"""
