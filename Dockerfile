# The server as an image.
#
#   docker build -t holdfast .
#   docker run --rm -p 127.0.0.1:8080:8080 -e AUTHENTICATION_DISABLED=true holdfast        (to try it)
#
# It listens on every address of the container, so it must be told who may do what: AUTHENTICATION_DISABLED=true lets in
# whoever can reach it as localhost, by IP address, or by a name in SERVER_ALLOWED_HOSTS; for real use give it tokens or a JWT issuer (docs/SECURITY.md, docs/OPERATIONS.md).
#
# The base images are named by digest, so a build takes what was looked at and nothing else. That also keeps out their
# security updates: renew both every month, and when a fix for Java or the base system is out (docs/SUPPLY_CHAIN.md).
FROM maven:3.9-eclipse-temurin-17@sha256:42a3ac393abbc64dae6c96703e5ead2e921fe9103371ac58b5b404b0d6a26502 AS build
WORKDIR /build
COPY . .
# The cache keeps libraries from one build to the next; the checks and tests have their place in CI.
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -ntp -q -Dquick package -pl dist -am && \
    mkdir /holdfast && \
    tar -xzf dist/target/quick/holdfast-*.tar.gz --strip-components=1 -C /holdfast

# Java 17.0.20+8
FROM eclipse-temurin:17-jre@sha256:c6f2875c05ea10f16398bdc5f73405c384991506f2f1ead8bcc6582ae8adea79
# A fixed number, so that a volume keeps its owner and Kubernetes can check that it is not root.
RUN groupadd --gid 10001 holdfast && \
    useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin holdfast && \
    install -d -o 10001 -g 10001 /data
COPY --from=build /holdfast /app
# The archive of classes makes commands start in half the time, such as the check below and 'docker exec … holdfast ls'.
RUN ln -s /app/bin/holdfast /usr/local/bin/holdfast && \
    (holdfast archive-classes || echo "going on without")
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENV SERVER_HOST=0.0.0.0 \
    SERVER_PORT=8080 \
    SERVER_DATA=/data \
    LOGGING_FORMAT=json
# Without curl: the program asks itself. With another port set HOLDFAST_SERVER; with TLS also HOLDFAST_CA_FILE.
HEALTHCHECK --interval=10s --timeout=8s --start-period=30s --retries=3 \
    CMD ["/app/bin/holdfast", "health"]
# No shell between: Java is the first process and gets the SIGTERM itself. Three quarters of the memory limit for the heap
# leave room for buffers and threads; out of memory is an end that an orchestrator sees and repairs.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "/app/lib/holdfast.jar"]
CMD ["serve"]
