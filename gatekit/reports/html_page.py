"""The parts of the HTML page that are the same in every report: its styles, and the script of its filter. Without the script all of it can be read."""

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--panel:#f5f6f8;--said:#e8f0fc;--ink:#1b1f24;--soft:#4d5662;--line:#c9ced6;--link:#0b57b0;
--pass:#0f6b33;--fail:#b3161b;--warn:#7d4e00;--gone:#ffe1e0;--new:#d8f5df;--hit:#ffec99;--hitink:#1b1f24}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--panel:#1e2329;--said:#1d2b40;--ink:#e8eaed;--soft:#b0b8c3;--line:#444c57;--link:#85b8ff;
--pass:#6fd394;--fail:#ff9c98;--warn:#f2c463;--gone:#5c2326;--new:#1c4a2b;--hit:#6b5600;--hitink:#fff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main,footer{max-width:75rem;margin:0 auto;padding:0 1rem}
header{max-width:73rem;margin:1rem auto;padding:.6rem 1.2rem .8rem;background:var(--panel);border:1px solid var(--line);border-left:.6rem solid var(--line);border-radius:.5rem}
@media (max-width:75rem){header{margin:1rem}}
header.pass{color:inherit;border-left-color:var(--pass)}header.fail{color:inherit;border-left-color:var(--fail)}
header.unknown,header.diverged{color:inherit;border-left-color:var(--warn)}
h1,h2,h3,h4,h5,p,li,summary,dd,dt,pre,a,td{overflow-wrap:anywhere}
h1{font-size:1.9rem;line-height:1.2;margin:.3rem 0}h2{font-size:1.3rem;margin:2rem 0 .5rem}h3{font-size:1.1rem;margin:1.5rem 0 .3rem}
h4,h5{font-size:1rem;margin:.5rem 0 .2rem}summary h4{display:inline;margin:0}
p{margin:.3rem 0}a{color:var(--link)}a:hover{text-decoration-thickness:2px}
.lead{font-size:1.1rem}
.chips,nav ul{display:flex;flex-wrap:wrap;gap:.3rem .6rem;list-style:none;margin:.6rem 0;padding:0}nav ul{gap:.3rem 1.2rem;margin-bottom:0}
.chips li{background:var(--paper);border:1px solid;border-radius:1rem;padding:0 .7rem}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static;display:inline-block;margin:.5rem 1rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.soft{color:var(--soft)}h5 .soft{font-weight:400}
.status{font-size:.9rem;font-weight:600;border:1px solid;border-radius:.3rem;padding:0 .35rem;white-space:nowrap}
.passed,.pass{color:var(--pass)}.check_failed,.error,.fail{color:var(--fail)}
.transient,.diverged,.inconclusive,.review,.unknown,.excluded,.deprecated,.retries{color:var(--warn)}
.tables{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:flex-start}
.wide{max-width:100%;overflow-x:auto}.tall{max-height:36rem;overflow-y:auto}.tall thead th{position:sticky;top:0}
table{border-collapse:collapse}
caption{text-align:left;color:var(--soft);padding:.2rem 0}.wide:not(.tall) caption{white-space:nowrap}
th,td{border:1px solid var(--line);padding:.15rem .5rem;text-align:left;vertical-align:top}
td{min-width:5.5rem}td.count{min-width:0}td.why{min-width:14rem}th[scope=row],td.name{min-width:10.5rem;max-width:24rem}
th{background:var(--panel)}th[scope=row]{font-weight:600}td.count,th.count{text-align:right;font-variant-numeric:tabular-nums}
.filter{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.7rem 1rem;margin:1rem 0;display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:flex-end}
.filter[hidden],[hidden]{display:none}
.filter label{display:flex;flex-direction:column;font-size:.9rem;max-width:100%}
.filter input,.filter select,.filter button{font:inherit;font-size:1rem;height:2.2rem;color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:.3rem;padding:.1rem .6rem;max-width:100%}
.filter select{max-width:min(100%,16rem)}.filter button{cursor:pointer}.filter button:hover,summary:hover h4{text-decoration:underline}
.filter p{flex-basis:100%;margin:0}
.case{border-top:2px solid var(--line);margin-top:1.5rem}
.sample{content-visibility:auto;contain-intrinsic-size:auto 3rem;border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.3rem .8rem}
summary{cursor:pointer}.sample[open]>summary{margin-bottom:.4rem}
.sample:target,.turn:target{outline:3px solid var(--link)}
.finding{border-left:.25rem solid var(--line);padding-left:.7rem;margin:.7rem 0}
.finding.fail{border-color:var(--fail);color:inherit}.finding.unknown,.finding.review{border-color:var(--warn);color:inherit}.finding.pass{border-color:var(--pass);color:inherit}
pre{white-space:pre-wrap;overflow-x:auto;font:.9rem/1.45 ui-monospace,monospace;background:var(--panel);border-radius:.3rem;padding:.4rem .6rem;margin:.3rem 0}
mark{background:var(--hit);color:var(--hitink);font-weight:600;text-decoration:underline}
del{background:var(--gone);color:inherit}ins{background:var(--new);color:inherit;text-decoration-thickness:2px}
del::before{content:"\\2212";content:"\\2212"/""}ins::before{content:"+";content:"+"/""}del::before,ins::before{display:inline-block;font-weight:700;padding:0 .15em}
dl{margin:.3rem 0;display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem .8rem}dt{color:var(--soft)}dd{margin:0}
.finding dl{align-items:baseline}
.talk{list-style:none;margin:.3rem 0;padding:0}.talk li{margin:.5rem 0}.talk pre{margin:.1rem 0;border:1px solid transparent}
.turn{margin:.6rem 0;padding:.1rem .7rem}.turn.proves{border:2px solid var(--fail);border-radius:.4rem}
.turn h5 .status{white-space:normal}
.user pre,.assistant pre,.system pre,.refusal pre,.reasoning pre{font-family:inherit;font-size:1rem}
.talk .user{margin-right:15%}.user pre{background:var(--said)}.talk .assistant,.talk .refusal,.talk .call,.talk .result,.talk .reasoning{margin-left:15%}
.call pre,.result pre,.reasoning pre,.system pre{background:none;border:1px dashed var(--line)}.user strong,.assistant strong{text-transform:capitalize}
footer{margin:2rem auto;color:var(--soft);border-top:1px solid var(--line)}
@media (max-width:40rem){dl{grid-template-columns:minmax(0,1fr)}.talk .user{margin-right:5%}.talk .assistant,.talk .refusal,.talk .call,.talk .result,.talk .reasoning{margin-left:5%}.filter label{flex-grow:1}.finding dl,dl{gap:0}}
@media print{:root{--paper:#fff;--panel:#fff;--said:#fff;--ink:#000;--soft:#333;--line:#888;--link:#000;--pass:#0f6b33;--fail:#b3161b;--warn:#7d4e00;--gone:#ffe1e0;--new:#d8f5df;--hit:#ffec99;--hitink:#000}
.filter,.skip,nav{display:none}.wide{max-height:none;overflow:visible}.sample{content-visibility:visible}details::details-content{content-visibility:visible;block-size:auto}
.finding,.talk li,tr{break-inside:avoid}h2,h3,h4,summary{break-after:avoid}}
@media (forced-colors:active){.status,.chips li{border:1px solid}.finding{border-left-style:double}}
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
    if (sought.length && !words) words = samples.map(function (sample) { return (sample.parentNode.querySelector("h3").textContent + " " + sample.textContent).toLowerCase(); });
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
  function land() {
    var target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.closest("[hidden]")) { form.reset(); apply(); }
    for (var at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
    requestAnimationFrame(function () { setTimeout(function () { target.scrollIntoView(); }, 50); });  // heights are guesses until they are drawn
  }
  var folded = [];
  form.hidden = false;
  form.addEventListener("input", function () { clearTimeout(waiting); waiting = setTimeout(apply, 150); });
  form.addEventListener("submit", function (event) { event.preventDefault(); apply(); });
  form.addEventListener("reset", function () { setTimeout(apply, 0); });
  document.getElementById("open").addEventListener("click", function () { unfold(true); });
  document.getElementById("close").addEventListener("click", function () { unfold(false); });
  addEventListener("hashchange", land);
  addEventListener("beforeprint", function () {
    folded = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    folded.forEach(function (element) { element.open = true; });
  });
  addEventListener("afterprint", function () { folded.forEach(function (element) { element.open = false; }); });
  apply();
  land();
})();
"""
