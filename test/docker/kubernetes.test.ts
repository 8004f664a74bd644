import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { configurationReference } from '#platform/config';

const FOLDER = join(__dirname, '../../docker/kubernetes');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: any;
}
const manifests = ['startline.yaml', 'worker-scaling.yaml'].flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS() as Manifest),
);
const named = (kind: string, name: string): Manifest => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
};

/** The class of a kind, which validates by the schema that Kubernetes and KEDA publish. */
function modelOf({ apiVersion, kind }: Manifest): new (manifest: Manifest) => { validate(): void } {
  const { [kind]: model } = require(
    apiVersion.startsWith('keda.sh/')
      ? `@kubernetes-models/keda/${apiVersion}/${kind}`
      : `kubernetes-models/${apiVersion}/${kind}`,
  );
  return model;
}

describe('the manifests for Kubernetes', () => {
  it.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    'fit the schema: %s %s',
    (_kind, _name, manifest) => {
      const Model = modelOf(manifest);
      new Model(manifest).validate();
      const broken = structuredClone(manifest);
      broken.spec = { nothing: true };
      if (manifest.kind !== 'Service' && manifest.kind !== 'PodDisruptionBudget')
        expect(() => new Model(broken).validate()).toThrow();
    },
  );

  it('start programs that exist, with settings that exist, on the ports that others use', () => {
    const containers = manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .flatMap(({ spec }) => spec.template.spec.containers);
    expect(containers).toHaveLength(3);
    for (const { command = [], env = [], ports = [] } of containers) {
      const program: string | undefined = command[1];
      if (program)
        expect(existsSync(join(FOLDER, '../..', program.replace('dist/', '').replace('.js', '.ts')))).toBe(
          true,
        );
      for (const { name } of env) expect(configurationReference()).toContain(`\`${name}\``);
      const metrics = env.find(({ name }: { name: string }) => name === 'METRICS_PORT');
      const operations = ports.find(({ name }: { name: string }) => name === 'operations');
      expect(operations?.containerPort).toEqual(metrics && Number(metrics.value));
    }
  });

  it('scale the workers by what the API wants', () => {
    const [, most] = /`WORKERS_MOST` \| `(\d+)`/.exec(configurationReference()) ?? [];
    const { scaleTargetRef, triggers, maxReplicaCount } = named('ScaledObject', 'startline-worker').spec;
    named('Deployment', scaleTargetRef.name);
    const { hostname, port, pathname } = new URL(triggers[0].metadata.url);
    const service = named('Service', hostname).spec;
    expect(service.ports.map((each: { port: number }) => each.port)).toContain(Number(port));
    expect(pathname).toBe('/workers');
    expect(maxReplicaCount).toBeGreaterThanOrEqual(Number(most));
  });
});
