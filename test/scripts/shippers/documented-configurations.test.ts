import { expect } from 'chai';
import { adaptConfiguration, readConfigurations } from '../../../scripts/shippers/documented-configurations.ts';
import { generateLine, numbersOfLines } from '../../../scripts/shippers/generated-lines.ts';
import { shippers } from '../../../scripts/shippers/shippers.ts';

const real = { port: 41234, scenarioId: 'the-scenario', key: 'mb_the_key', logFile: '/log', stateDirectory: '/state' };

describe('docs/log-shippers.md', () => {
  it('has a configuration of each tool that npm run shippers knows, with all that is to be replaced', async () => {
    const configurations = await readConfigurations();
    for (const { name } of shippers) {
      const [configuration, program = ''] = configurations.get(name) ?? [];
      expect(configuration, name).to.be.a('string');
      const adapted = adaptConfiguration(configuration + program, real);
      expect(adapted)
        .to.include('127.0.0.1')
        .and.include('41234')
        .and.include('the-scenario')
        .and.include('mb_the_key');
      expect(adapted).not.to.match(/localhost|\b3000\b|SCENARIO_ID|API_KEY|\/var\/|\/usr\/local/);
    }
  });
});

describe('the lines of npm run shippers', () => {
  it('generated lines are all different, and found again by their numbers, escaped or not', () => {
    const lines = Array.from({ length: 1000 }, (_, number) => generateLine(number));
    expect(new Set(lines).size).to.equal(lines.length);
    const numbers = lines.map((_, number) => number);
    expect([...numbersOfLines(lines.join('\n'))]).to.deep.equal(numbers);
    expect([...numbersOfLines(JSON.stringify(lines.map((message) => ({ message }))))]).to.deep.equal(numbers);
  });
});
