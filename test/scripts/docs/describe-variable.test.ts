import { expect } from 'chai';
import Joi from 'joi';
import { describeVariable } from '../../../scripts/docs/describe-variable.ts';

describe('the description of a variable', () => {
  const described = (schema: Joi.Schema) => describeVariable('NAME', schema.description('What it is.'));

  it('has the values that the rules of the schema allow', () => {
    const whole = Joi.number().integer();
    const allowed: [Joi.Schema, string | undefined][] = [
      [Joi.string(), undefined],
      [Joi.string().valid('a', 'b', 'c'), '`a`, `b` or `c`'],
      [Joi.string().min(32), 'at least 32 characters'],
      [Joi.string().hex().length(64), '64 hexadecimal digits'],
      [Joi.string().uri({ scheme: ['http', 'https'] }), 'a URL that begins with `http://` or `https://`'],
      [Joi.string().meta({ listOf: ['a', 'b'] }), 'any of `a`, `b`, separated by commas'],
      [Joi.string().pattern(/^x+$/).meta({ allowedText: 'some x' }), 'some x'],
      [Joi.number().port(), 'a whole number from 0 to 65535'],
      [whole.min(0), 'a whole number, at least 0'],
      [whole.min(1).max(64), 'a whole number from 1 to 64'],
      [whole.min(1).max(Joi.ref('OTHER')), 'a whole number from 1 to `OTHER`'],
      [Joi.alternatives(whole.min(0).max(3), Joi.boolean()), 'a whole number from 0 to 3, `true` or `false`'],
    ];
    for (const [schema, text] of allowed) expect(described(schema).allowed).to.equal(text);
  });

  it('has the default of the schema, in words if it is computed', () => {
    expect(described(Joi.number().default(7))).to.include({ default: '`7`', value: '7', isRequired: false });
    expect(described(Joi.string())).to.include({ default: 'none', value: '' });
    expect(described(Joi.string().required().example('x'))).to.include({ default: 'required', value: 'x' });
    const computed = Joi.string().default(() => 'x');
    expect(described(computed.meta({ defaultText: 'an x' }).example('x'))).to.include({ default: 'an x', value: 'x' });
    expect(() => described(computed)).to.throw('The default of NAME is computed');
  });

  it('a description is required in the schema', () => {
    expect(() => describeVariable('NAME', Joi.string())).to.throw('NAME has no description.');
  });
});
