import { expect } from 'chai';
import { createAccount, password } from '../support/accounts.ts';
import { startBrowser } from '../support/browser.ts';
import { driveKeyboard } from '../support/keyboard-driver.ts';
import { startScreenReader } from '../support/screen-reader.ts';
import { startTestService } from '../support/test-service.ts';

// Only Chromium lets a test read its accessibility tree.
describe('the page, as a screen reader says it', () => {
  const service = startTestService();
  const browser = startBrowser();

  it('leads from the sign-in over a sample and its chart to a design', async () => {
    const { email } = await createAccount(service);
    const { page, problems } = await browser.openPage(`${service.url}/#/sign-in`);
    const { find, focused, valueText, hear, headings } = startScreenReader(page);
    const { tabTo, open } = driveKeyboard(page);
    const { keyboard } = page;

    await find('textbox', 'E-mail address');
    await tabTo('E-mail address');
    await keyboard.type(email);
    await tabTo('Password');
    await keyboard.type('a wrong password');
    await keyboard.press('Enter');
    await hear('The e-mail address or the password is wrong.');
    await tabTo('Password');
    await keyboard.type(password);
    await keyboard.press('Enter');
    await find('heading', 'Scenarios');
    expect(await focused()).to.include({ role: 'heading', name: 'Scenarios', level: 1 });

    await open('Try it with sample lines');
    await hear('Sending sample lines.');
    await find('heading', /^Sample of .* Running$/);
    expect(await focused()).to.include({ role: 'heading', level: 1 });
    expect(await find('link', 'Overview')).to.include({ role: 'link' });
    await find('region', 'Summary');
    expect(await find('combobox', 'Period')).to.include({ role: 'combobox' });
    expect(await headings()).to.include.members(['2 Over time', '2 Cost by service', '2 Personal data']);

    await tabTo('Cost by service, by hour');
    expect(await focused()).to.include({ role: 'slider', name: 'Cost by service, by hour' });
    expect(await valueText()).to.match(/^\d+ hours\. The arrow keys show their values\.$/);
    await keyboard.press('Home');
    const first = await valueText();
    expect(first).to.match(/^\d+ \w{3} 20\d\d, \d\d:00: \$0\.\d+\. Message queue: \$0\.\d+, /);
    await keyboard.press('ArrowRight');
    expect(await valueText()).not.to.equal(first);
    await keyboard.down('Shift');
    await keyboard.press('ArrowRight');
    await keyboard.up('Shift');
    await keyboard.press('Enter');
    await hear(/^The period is now \d.*:00\.$/);
    expect(await focused()).to.include({ role: 'slider' });

    await open('Design');
    const queue = await find('button', /^Queue/);
    expect(queue).to.include({ expanded: false });
    await open('Queue');
    expect(await find('button', /^Queue/)).to.include({ expanded: true });
    expect(await focused()).to.include({ role: 'heading', name: 'Queue' });
    await tabTo('Pollers');
    expect(await focused()).to.include({ role: 'spinbutton', name: 'Pollers' });
    await keyboard.press('Backspace');
    await keyboard.type('0');
    await hear(/^\$\d/);
    await open('Save to the scenario');
    await hear('The design is saved. All costs of the scenario follow it.');
    expect(problems).to.deep.equal(['401 POST /api/v1/auth/browser-session']);
  });
});
