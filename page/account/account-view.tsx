export function AccountView() {
  return <h1>Account</h1>;
}
