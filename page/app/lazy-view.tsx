import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorNote, Loading } from '../components/states.tsx';
import { View } from './view.tsx';

/** A view whose code is loaded when it is first shown. */
export function lazyView<Props extends object>(
  title: string,
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return function LazyView(props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [error, setError] = useState<unknown>(null);
    const hadFocus = useRef(false);
    useEffect(() => {
      async function open(): Promise<void> {
        const view = await load();
        loaded = view;
        hadFocus.current = document.activeElement?.matches('main h1') ?? false;
        setLoaded(() => view);
      }
      if (!loaded) open().catch(setError);
    }, []);
    // The heading that had the focus is replaced by that of the view.
    useEffect(() => {
      if (hadFocus.current) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    }, [Loaded]);
    if (Loaded) return <Loaded {...props} />;
    return (
      <View title={title}>
        {error === null ? (
          <Loading what="this part of the page" />
        ) : (
          // After an update, the service no longer has the files of the page that is open.
          <ErrorNote error={new Error('This part of the page is not there.')} retry={() => location.reload()} />
        )}
      </View>
    );
  };
}
