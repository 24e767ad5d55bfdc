// `npm run secrets`: prints the file production.env of docker-compose.yml, with new secrets. It
// needs no packages, so that it runs before they are installed.
import { randomBytes } from 'node:crypto';

const secret = () => randomBytes(32).toString('hex');

process.stdout.write(`\
# What docker-compose.yml does not set itself. docs/configuration.md has all other variables, such as TRUST_PROXY.

# Encrypts queued log entries and stored responses. A backup is restored with the same secret, which is kept apart from it.
SERVICE_SECRET=${secret()}

# Signs access tokens. With another one, all sessions end.
TOKEN_SECRET=${secret()}

# For /admin/queues, whose user is admin.
DASHBOARD_PASSWORD=${randomBytes(18).toString('base64url')}

# For /metrics, as the bearer token.
METRICS_TOKEN=${secret()}

# The notebook backend as a container sees it: host.docker.internal is the machine that runs Docker.
NOTEBOOK_BACKEND=http
NOTEBOOK_BACKEND_URL=http://host.docker.internal:8888
`);
