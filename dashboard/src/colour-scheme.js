// A file of its own, loaded before anything is painted: the policy lets no script stand in the page.
{
  const chosen = localStorage.getItem('sheaf.colour-scheme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}
