import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadAll } from 'js-yaml';
import { allQueues } from '../../shared/all-queues.ts';
import { variableNames } from '../../shared/config/config-schema.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${project}deploy/kubernetes/`;

interface Container {
  command: string[];
  env?: { name: string; value: string }[];
  securityContext: object;
  resources: { limits?: { memory?: string } };
  startupProbe?: object;
  livenessProbe?: object;
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    template?: { spec: { securityContext: object; automountServiceAccountToken?: boolean; containers: Container[] } };
  };
}

const read = (file: string) => loadAll(readFileSync(`${folder}${file}`, 'utf8')) as Manifest[];
const [kustomization] = read('kustomization.yml') as unknown as [{ resources: string[] }];
const manifests = kustomization.resources.flatMap(read);

/** The class of a manifest, which validates it by the schema of Kubernetes or of KEDA. */
async function modelOf({ apiVersion, kind }: Manifest): Promise<new (manifest: Manifest) => { validate(): void }> {
  const module = apiVersion.startsWith('keda.sh/')
    ? await import(`@kubernetes-models/keda/${apiVersion}/${kind}`)
    : await import(`kubernetes-models/${apiVersion}/${kind}`);
  return module[kind];
}

describe('the manifests of Kubernetes', () => {
  it('the kustomization lists all manifests', () => {
    const files = readdirSync(folder).filter((file) => file !== 'kustomization.yml');
    expect(kustomization.resources).to.have.members(files);
  });

  for (const manifest of manifests) {
    it(`manifests pass their schema: ${manifest.kind} ${manifest.metadata.name}`, async () => {
      const Model = await modelOf(manifest);
      new Model(manifest).validate();
    });
  }

  const pods = manifests.flatMap(({ metadata, spec }) =>
    spec?.template ? [{ name: metadata.name, ...spec.template.spec }] : [],
  );

  it('containers run as a user without rights, on a read-only file system, within a limit of memory', () => {
    expect(pods.map(({ name }) => name)).to.deep.equal(['migrate', 'web', 'worker', 'report-worker']);
    for (const { name, securityContext, automountServiceAccountToken, containers } of pods) {
      expect(securityContext, name).to.include({ runAsNonRoot: true, runAsUser: 1000 });
      expect(automountServiceAccountToken, name).to.equal(false);
      for (const container of containers) {
        expect(container.securityContext, name).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits?.memory, name).to.match(/^\d+(Mi|Gi)$/);
        expect(Boolean(container.livenessProbe && container.startupProbe), name).to.equal(name !== 'migrate');
      }
    }
  });

  it('containers run the commands of the Procfile, serve every queue by one kind of worker, and set existing variables', () => {
    const procfile = readFileSync(`${project}Procfile`, 'utf8');
    const commands = [...procfile.matchAll(/^\w+: exec (.+)$/gm)].map(([, command]) => command);
    const containers = pods.flatMap((pod) => pod.containers);
    expect(new Set(containers.map(({ command }) => command.join(' ')))).to.deep.equal(new Set(commands));
    const variables = containers.flatMap(({ env = [] }) => env);
    const queues = variables.flatMap(({ name, value }) => (name === 'WORKER_QUEUES' ? value.split(',') : []));
    expect(queues.sort()).to.deep.equal(Object.keys(allQueues).sort());
    const settings = manifests.flatMap(({ data = {} }) => Object.keys(data));
    expect(variableNames).to.include.members([...settings, ...variables.map(({ name }) => name)]);
  });
});
