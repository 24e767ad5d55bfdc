import { lintFromString, loadConfig } from '@redocly/openapi-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { expect } from 'chai';
import { allRoutes } from '../../../api/all-routes.ts';
import { openApiDocument } from '../../../api/http/openapi-document.ts';
import { isLongForm } from '../../support/long-form.ts';
import { createRouteSettings } from '../../support/route-settings.ts';

const environments = [
  { NOTEBOOK_API_VARIANT: '0.1.0', AUTH_MODE: 'documented' },
  // Differs in a few routes of notebooks and in the credentials.
  ...(isLongForm ? [{ NOTEBOOK_API_VARIANT: '0.2.0', AUTH_MODE: 'strict' }] : []),
];

describe('linters of OpenAPI documents', () => {
  for (const environment of environments) {
    const settings = createRouteSettings(environment);
    const source = JSON.stringify(openApiDocument(allRoutes(settings), settings.config));
    const name = Object.values(environment).join(', ');

    it(`Redocly has nothing to say with its recommended rules: ${name}`, async () => {
      const config = await loadConfig({ customExtends: ['recommended'] });
      const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
      expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).to.deep.equal([]);
    });

    // Spectral reads the document for three seconds, and has few rules that Redocly lacks.
    if (!isLongForm) continue;
    it(`Spectral has nothing to say with its rules for OpenAPI: ${name}`, async () => {
      const { default: spectralCore } = await import('@stoplight/spectral-core');
      const { default: spectralRulesets } = await import('@stoplight/spectral-rulesets');
      const spectral = new spectralCore.Spectral();
      // The published type of the rule set is narrower than that of the parameter.
      const rules = spectralRulesets.oas as unknown as RulesetDefinition;
      spectral.setRuleset({ extends: [[rules, 'recommended']] });
      const problems = await spectral.run(JSON.parse(source));
      expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).to.deep.equal([]);
    });
  }
});
