export function NotebooksView() {
  return <h1>Notebooks</h1>;
}
