// Applies a chosen theme before the first paint (see src/lib/theme.ts).
try {
  var chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (_) {
  // Storage may be closed: the device's own theme applies.
}
