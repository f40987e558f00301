// Applies a chosen theme before the first paint, and when another tab chooses one (see src/lib/theme.ts).
(function () {
  var root = document.documentElement;
  function apply() {
    try {
      var chosen = localStorage.getItem("theme");
      if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
      else delete root.dataset.theme;
    } catch (_) {
      // Storage may be closed: the device's own theme applies.
    }
  }
  apply();
  addEventListener("storage", function (event) {
    // A storage that is cleared as a whole names no key.
    if (event.key === "theme" || event.key === null) apply();
  });
})();
