/** An e-mail address, which a line breaks before its @ rather than inside of a name. */
export function EmailAddress({ address }: { readonly address: string }) {
  const [, name, host] = /^(.*)(@[^@]*)$/.exec(address) ?? [];
  return (
    <bdi>
      {name ?? address}
      {host && (
        <>
          <wbr />
          {host}
        </>
      )}
    </bdi>
  );
}
