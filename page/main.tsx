import './styles/main.css';
import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { queryClient } from './client/api.ts';
import { watchConnection } from './client/connection.ts';
import { continueSession, followOtherTabs } from './client/session.ts';

watchConnection();
followOtherTabs();
void continueSession();

const root = document.querySelector('#page');
if (root) {
  root.replaceChildren();
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
    root,
  );
}
