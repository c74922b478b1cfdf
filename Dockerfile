# The program in a container; docs/how-to/run-in-a-container.md tells how to use it.
# Node 24.21: its HTTP/2 can't be aborted by strangers (CVE-2026-27135), so `serve` accepts connections from other machines.
FROM node:24.21.0-bookworm AS build
WORKDIR /orchestrate
COPY package.json package-lock.json ./
# A prebuilt SQLite, which must be there for this platform: one that is compiled on this Node aborts (docs/how-to/install.md).
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json LICENSE ./
COPY scripts ./scripts
COPY src ./src
COPY assets ./assets
COPY schema ./schema
COPY scenarios ./scenarios
RUN npm run --silent build && rm -r dist/modules && npm prune --omit=dev --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /opt/orchestrate
COPY --from=build /orchestrate/package.json /orchestrate/LICENSE ./
COPY --from=build /orchestrate/node_modules ./node_modules
COPY --from=build /orchestrate/dist ./dist
COPY --from=build /orchestrate/assets ./assets
COPY --from=build /orchestrate/schema ./schema
COPY --from=build /orchestrate/scenarios ./scenarios
COPY container/health.mjs ./container/health.mjs
RUN ln -s /opt/orchestrate/dist/cli/main.js /usr/local/bin/orchestrate \
  && install -d -o 1000 -g 1000 /data /config
# `node`, the user that the image of Node has.
USER 1000
# Scenarios, batches, logs.
WORKDIR /data
VOLUME /data
EXPOSE 50051
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "/opt/orchestrate/container/health.mjs", "127.0.0.1:50051"]
ENTRYPOINT ["orchestrate"]
# /config has who may do what, and the certificate: beyond this container's loopback, `serve` asks for both.
CMD ["serve", "crypt", "--listen", "0.0.0.0:50051", "--pace", "lockstep", "--wait", "all", \
  "--tokens", "/config/tokens.txt", "--tls-cert", "/config/cert.pem", "--tls-key", "/config/key.pem"]
