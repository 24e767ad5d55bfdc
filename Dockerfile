# One image for web and worker; the command selects the process.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24.21.0-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY --from=build /app/dist dist
COPY scripts/create-admin.mjs scripts/
# The Chromium that prints PDF reports is unpacked now, because containers run with a read-only file system. Its package is
# for x64 only: for other machines, install a Chromium and set CHROMIUM_PATH.
RUN install -d -o node node_modules/.cache
USER node
RUN node -e "import('./dist/workers/reports/pdf/chromium.js').then((chromium) => chromium.hasPackagedChromium() && chromium.unpackChromium())"
EXPOSE 3000
CMD ["node", "dist/api/main.js"]
