/** The environment of a command, and where its texts go: the terminal, or a test. */
export interface Terminal {
  environment: NodeJS.ProcessEnv;
  print: (text: string) => void;
  printError: (text: string) => void;
}
