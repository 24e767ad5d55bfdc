import Router from '@koa/router';
import { errorFields } from '../../../shared/log.ts';
import { type Transition, transitions } from '../../../shared/models/scenario.model.ts';
import { deletionJobId } from '../../../shared/queues/delete-scenario.queue.ts';
import type { AppDeps } from '../../app-deps.ts';
import { checkIfMatch, entityTag, preconditionFailed, sendWithTag } from '../../middleware/entity-tag.ts';
import { jsonBody } from '../../middleware/json-body.ts';
import type { AppState } from '../../request/context.ts';
import { validateQuery } from '../../validation/query.ts';
import { validate } from '../../validation/validate.ts';
import {
  createScenario,
  findScenario,
  listScenarios,
  markDeleted,
  moveScenario,
  notFound,
  updateScenario,
} from './scenario-store.ts';
import { presentScenario, presentScenarioList } from './scenarios.presenter.ts';
import { scenarioPath, scenarioSchemas } from './scenarios.schemas.ts';

/** `/api/v1/scenarios`: scenarios and their lifecycle. */
export function scenarioRoutes({ models, queues, priceBook, config, log }: AppDeps): Router<AppState> {
  const router = new Router<AppState>({ prefix: '/api/v1/scenarios' });
  const schemas = scenarioSchemas(priceBook, config.pageSize);

  router.post('/', jsonBody(), async (ctx) => {
    const scenario = await createScenario(models, validate(schemas.create, ctx.request.body));
    ctx.status = 201;
    ctx.set('Location', `/api/v1/scenarios/${scenario._id}`);
    ctx.set('ETag', entityTag(scenario.revision));
    ctx.body = presentScenario(scenario);
  });

  router.get('/', async (ctx) => {
    const query = validateQuery(schemas.list, ctx);
    ctx.body = presentScenarioList(await listScenarios(models, query));
  });

  router.get('/:id', async (ctx) => {
    const { id } = validate(scenarioPath, ctx.params);
    const scenario = await findScenario(models, id);
    sendWithTag(ctx, entityTag(scenario.revision), presentScenario(scenario));
  });

  router.put('/:id', jsonBody(), async (ctx) => {
    const { id } = validate(scenarioPath, ctx.params);
    const changes = validate(schemas.update, ctx.request.body);
    for (;;) {
      const scenario = await findScenario(models, id);
      const conditional = checkIfMatch(ctx, entityTag(scenario.revision));
      const updated = await updateScenario(models, scenario, changes);
      if (updated) {
        ctx.set('ETag', entityTag(updated.revision));
        ctx.body = presentScenario(updated);
        return;
      }
      if (conditional) throw preconditionFailed();
    }
  });

  router.delete('/:id', async (ctx) => {
    const { id } = validate(scenarioPath, ctx.params);
    const scenario = await findScenario(models, id);
    const conditional = checkIfMatch(ctx, entityTag(scenario.revision));
    if (!(await markDeleted(models, id, conditional ? scenario.revision : undefined))) {
      throw conditional ? preconditionFailed() : notFound(id);
    }
    // The mark decides. Should Redis be away, the workers' sweep finds the mark and adds the job.
    await queues['delete-scenario']
      .add({ scenarioId: id, requestId: ctx.state.requestId }, { jobId: deletionJobId(id) })
      .catch((error: unknown) => log.warn('deletion left to the sweep', errorFields(error)));
    ctx.status = 204;
  });

  for (const transition of Object.keys(transitions) as Transition[]) {
    router.post(`/:id/${transition}`, async (ctx) => {
      const { id } = validate(scenarioPath, ctx.params);
      const scenario = await moveScenario(models, id, transition);
      ctx.set('ETag', entityTag(scenario.revision));
      ctx.body = presentScenario(scenario);
    });
  }

  return router;
}
