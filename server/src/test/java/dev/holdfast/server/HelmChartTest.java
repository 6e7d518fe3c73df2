package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.StoreSettings;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

@DisplayName("The Helm chart")
class HelmChartTest {
    private static final Path CHART =
            Path.of("../deploy/helm/holdfast").toAbsolutePath().normalize();
    private static final Path EXAMPLES = Path.of("../examples/deploy");
    private static final Pattern VALUE = Pattern.compile("\\.Values((?:\\.[A-Za-z0-9]+)+)");

    /** Who may call: without that there is nothing to install. */
    private static final String CALLERS =
            "config:\n  auth:\n    tokens:\n      - id: ci\n        sha256: " + "0123456789abcdef".repeat(4)
                    + "\n        roles: {deploy: [read, lock]}\n  server.limits.connections: \"1000000\"\n";

    private static final Map<String, String> CASES = Map.of(
            "usual", CALLERS,
            "everything", CALLERS + """
                            replicas: 5
                            image: {repository: registry.example.com/holdfast, tag: 1.2.3, digest: "sha256:%s", pullSecrets: [{name: registry}]}
                            store: {url: "postgresql://user:p%%40ss@host/database"}
                            tls: {existingSecret: holdfast-tls}
                            stop: {drainSeconds: 20, graceSeconds: 60}
                            service: {type: LoadBalancer, port: 443, annotations: {a: b}}
                            serviceAccount: {name: locks, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::1:role/x"}}
                            podDisruptionBudget: {maxUnavailable: "25%%"}
                            networkPolicy:
                              from: [{namespaceSelector: {matchLabels: {team: shop}}}]
                              egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 5432}]}]
                            serviceMonitor: {enabled: true, labels: {release: prometheus}}
                            prometheusRule: {enabled: true, labels: {release: prometheus}}
                            grafanaDashboard: {enabled: true}
                            ingress: {enabled: true, className: nginx, host: locks.example.com, tlsSecret: locks-tls, annotations: {g: h}}
                            extraEnv: [{name: LOGGING_LEVEL, value: debug}]
                            extraVolumes: [{name: hooks, secret: {secretName: hooks}}]
                            extraVolumeMounts: [{name: hooks, mountPath: /run/secrets/hooks, readOnly: true}]
                            podAnnotations: {c: d}
                            podLabels: {e: f}
                            nodeSelector: {disk: ssd}
                            tolerations: [{key: k, operator: Exists}]
                            affinity: {nodeAffinity: {}}
                            priorityClassName: high
                            """.formatted("a".repeat(64)),
            "least", """
                    existingConfigMap: mine
                    serviceAccount: {create: false}
                    networkPolicy: {enabled: false}
                    podDisruptionBudget: {enabled: false}
                    """,
            "nobody", "replicas: 3\n",
            "unnamed", CALLERS + "ingress: {enabled: true}\n",
            "nowhere", CALLERS + "store: {existingSecret: \"\"}\n",
            "misspelt", CALLERS + "replicaCount: 3\n",
            "onefile", CALLERS + "store: {url: \"sqlite:locks.db\"}\n",
            "digest", CALLERS + "image: {digest: \"sha256:abc\"}\n");

    private static final Object RENDERING = new Object();
    private static Optional<Path> rendered = Optional.empty();

    @TempDir
    private static Path directory;

    /** All cases, rendered once by Helm itself; skips the test where its library does not run. */
    private static Path rendered() throws IOException {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assumeTrue(machine.equals("Linux amd64"), "Helm's library is here for Linux on amd64, and this is " + machine);
        synchronized (RENDERING) {
            if (rendered.isEmpty()) {
                Path cases = Files.createDirectory(directory.resolve("cases"));
                for (Map.Entry<String, String> one : CASES.entrySet()) {
                    Files.writeString(cases.resolve(one.getKey() + ".yaml"), one.getValue());
                }
                JavaProcess helm = JavaProgram.of(HelmProgram.class)
                        .merged()
                        .start(CHART.toString(), completed().toString(), cases.toString());
                assertThat(helm.exit()).as(helm::toString).isZero();
                rendered = Optional.of(cases);
            }
            return rendered.orElseThrow();
        }
    }

    /** The chart with values that can be installed, as somebody has them who lints it. */
    private static Path completed() throws IOException {
        Path copy = directory.resolve("holdfast");
        try (Stream<Path> all = Files.walk(CHART)) {
            for (Path file : all.toList()) {
                Files.copy(file, copy.resolve(CHART.relativize(file).toString()));
            }
        }
        Path values = copy.resolve("values.yaml");
        String text = Files.readString(values);
        assertThat(text).contains("config: {}\n");
        Files.writeString(values, text.replace("config: {}\n", CALLERS));
        return copy;
    }

    /** What comes of these values, by kind and name. */
    private static Map<String, Map<?, ?>> objects(String name) throws IOException {
        Path error = rendered().resolve(name + ".error");
        assertThat(error).as(() -> text(error)).doesNotExist();
        Map<String, Map<?, ?>> objects = new TreeMap<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(text(rendered().resolve(name + ".out")))
                .forEach(document -> {
                    Map<?, ?> object = (Map<?, ?>) document;
                    objects.put(
                            object.get("kind") + " " + at(object, "metadata").get("name"), object);
                });
        return objects;
    }

    private static String refusal(String name) throws IOException {
        return text(rendered().resolve(name + ".error"));
    }

    private static Map<?, ?> pod(Map<String, Map<?, ?>> objects) {
        return at(objects.get("Deployment holdfast"), "spec", "template", "spec");
    }

    private static Map<?, ?> container(Map<String, Map<?, ?>> objects) {
        return (Map<?, ?>) ((List<?>) pod(objects).get("containers")).get(0);
    }

    @Nested
    @DisplayName("as Helm renders it")
    class Rendered {
        @Test
        @DisplayName("passes helm lint --strict")
        void lint() throws IOException {
            assertThat(text(rendered().resolve("lint"))).doesNotContain("failed", "[ERROR]", "[WARNING]");
        }

        @Test
        @DisplayName("has three replicas that are not root, with a budget, a policy and an account of their own")
        void usual() throws IOException {
            Map<String, Map<?, ?>> objects = objects("usual");
            assertThat(objects.keySet())
                    .containsExactly(
                            "ConfigMap holdfast",
                            "Deployment holdfast",
                            "NetworkPolicy holdfast",
                            "PodDisruptionBudget holdfast",
                            "Service holdfast",
                            "ServiceAccount holdfast");
            assertThat(at(objects.get("Deployment holdfast"), "spec").get("replicas"))
                    .isEqualTo(3);
            assertThat(at(pod(objects), "securityContext").get("runAsNonRoot")).isEqualTo(true);
            assertThat(at(container(objects), "securityContext").get("readOnlyRootFilesystem"))
                    .isEqualTo(true);
            assertThat(pod(objects).get("automountServiceAccountToken")).isEqualTo(false);
            assertThat(container(objects).get("image")).isEqualTo("holdfast:0.1.0-SNAPSHOT");
        }

        @Test
        @DisplayName("is what the example without Helm is, where both say something")
        void sameAsTheExample() throws IOException {
            Map<?, ?> example = at(
                    (Map<?, ?>) new Load(LoadSettings.builder().build())
                            .loadAllFromString(text(EXAMPLES.resolve("server-kubernetes.yaml")))
                            .iterator()
                            .next(),
                    "spec",
                    "template",
                    "spec");
            Map<?, ?> there = (Map<?, ?>) ((List<?>) example.get("containers")).get(0);
            Map<?, ?> here = container(objects("usual"));
            for (String part : List.of("args", "lifecycle", "securityContext", "resources", "ports", "volumeMounts")) {
                assertThat((Object) here.get(part)).as(part).isEqualTo(there.get(part));
            }
            assertThat(pod(objects("usual")).get("terminationGracePeriodSeconds"))
                    .isEqualTo(example.get("terminationGracePeriodSeconds"));
        }

        @Test
        @DisplayName("probes where the server answers")
        void probes() throws IOException {
            try (TestServer server = TestServer.onMemory()) {
                for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                    Map<?, ?> call = at(container(objects("usual")), probe, "httpGet");
                    assertThat(server.get((String) call.get("path")).status())
                            .as(probe)
                            .isEqualTo(200);
                    assertThat(call.get("scheme")).isEqualTo("HTTP");
                    assertThat(at(container(objects("everything")), probe, "httpGet")
                                    .get("scheme"))
                            .isEqualTo("HTTPS");
                }
            }
        }

        @Test
        @DisplayName("gives a replica time to drain, to finish, and more, and tells the server how long it has")
        void stopping() throws IOException {
            for (String name : List.of("usual", "everything")) {
                Map<?, ?> sleep = at(container(objects(name)), "lifecycle", "preStop", "exec");
                long drain = Long.parseLong((String) ((List<?>) sleep.get("command")).get(1));
                Duration grace = settings(name).get(ServerSettings.SHUTDOWN_GRACE);
                assertThat(pod(objects(name)).get("terminationGracePeriodSeconds"))
                        .as(name)
                        .isEqualTo((int) (drain + grace.toSeconds() + 15));
            }
            assertThat(settings("everything").get(ServerSettings.SHUTDOWN_GRACE))
                    .isEqualTo(Duration.ofSeconds(60));
        }

        /** As the server in the container would read them. */
        private Settings settings(String name) throws IOException {
            return settings(name, "postgresql://user:password@host/database");
        }

        /** The same on this store, with a certificate; on any port. */
        private Settings settings(String name, String store) throws IOException {
            Path root = Files.createTempDirectory(directory, name);
            write(root, "/run/secrets/holdfast/url", store);
            write(root, "/etc/holdfast/holdfast.yaml", (String)
                    at(objects(name).get("ConfigMap holdfast"), "data").get("holdfast.yaml"));
            Files.createDirectories(root.resolve("run/secrets/holdfast-tls"));
            QuickCertificates.ec("holdfast")
                    .pem()
                    .writeTo(
                            root.resolve("run/secrets/holdfast-tls/tls.crt"),
                            root.resolve("run/secrets/holdfast-tls/tls.key"));
            Map<String, String> variables = imageVariables();
            variables.put("SERVER_PORT", "0");
            for (Object one : (List<?>) container(objects(name)).get("env")) {
                Map<?, ?> variable = (Map<?, ?>) one;
                variables.put((String) variable.get("name"), within(root, (String) variable.get("value")));
            }
            List<String> args = ((List<?>) container(objects(name)).get("args"))
                    .stream().map(arg -> within(root, (String) arg)).toList();
            assertThat(args.get(0)).isEqualTo("serve");
            return Settings.load(args.subList(1, args.size()), variables, root);
        }

        private static void write(Path root, String file, String content) throws IOException {
            Path at = root.resolve(file.substring(1));
            Files.createDirectories(at.getParent());
            Files.writeString(at, content);
        }

        /** The same files, but not at the root of this machine. */
        private static String within(Path root, String text) {
            return text.replaceFirst("(^|=)(/run/|/etc/)", "$1" + root + "$2");
        }

        /** Those that the image has. */
        private static Map<String, String> imageVariables() {
            Map<String, String> variables = new HashMap<>();
            Matcher lines = Pattern.compile("(?m)^ENV ((?:.*\\\\\n)*.*)$").matcher(text(Path.of("../Dockerfile")));
            assertThat(lines.find()).isTrue();
            Matcher each = Pattern.compile("([A-Z_]+)=(\\S+)").matcher(lines.group(1));
            while (each.find()) {
                variables.put(each.group(1), each.group(2));
            }
            assertThat(variables).containsEntry("SERVER_HOST", "0.0.0.0");
            return variables;
        }

        @Test
        @DisplayName(
                "starts a server that answers the probes, over HTTPS where it has a certificate, and stops in time")
        void started() throws Exception {
            for (String name : List.of("usual", "everything")) {
                Settings settings = settings(name, Postgres.server().freshSchema());
                try (HoldfastServer server = HoldfastServer.start(ServerSetup.of(settings))) {
                    HttpClient kubelet = HttpClient.newBuilder()
                            .sslContext(TlsServerTest.trusting())
                            .build();
                    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                        Map<?, ?> call = at(container(objects(name)), probe, "httpGet");
                        URI uri = URI.create(((String) call.get("scheme")).toLowerCase(Locale.ROOT) + "://127.0.0.1:"
                                + server.port() + call.get("path"));
                        assertThat(kubelet.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                                        .statusCode())
                                .as(name + " " + uri)
                                .isEqualTo(200);
                    }
                }
            }
        }

        @Test
        @DisplayName("has only fields that Kubernetes knows, of its own objects")
        void fields() throws Exception {
            for (String name : List.of("usual", "everything", "least")) {
                for (Map<?, ?> object : objects(name).values()) {
                    check((String) object.get("kind"), new Gson().toJsonTree(object));
                }
            }
        }

        /** By the models of the official client, which refuse fields they do not know, at any depth. */
        private static void check(String kind, JsonElement object) throws IOException {
            switch (kind) {
                case "ConfigMap" -> V1ConfigMap.validateJsonElement(object);
                case "Deployment" -> V1Deployment.validateJsonElement(object);
                case "Ingress" -> V1Ingress.validateJsonElement(object);
                case "NetworkPolicy" -> V1NetworkPolicy.validateJsonElement(object);
                case "PodDisruptionBudget" -> V1PodDisruptionBudget.validateJsonElement(object);
                case "Secret" -> V1Secret.validateJsonElement(object);
                case "Service" -> V1Service.validateJsonElement(object);
                case "ServiceAccount" -> V1ServiceAccount.validateJsonElement(object);
                case "ServiceMonitor", "PrometheusRule" -> {} // of the operator of Prometheus
                default -> throw new AssertionError("no model for " + kind);
            }
        }

        @Test
        @DisplayName("gives the server settings that it understands, and the URL of the store as a file")
        void understood() throws IOException {
            for (String name : List.of("usual", "everything")) {
                Settings settings = settings(name);
                assertThat(settings.notes()).as(name).isEmpty();
                assertThat(settings.get(StoreSettings.STORE)).startsWith("postgresql://");
            }
            assertThat(objects("usual").toString()).doesNotContain("Secret holdfast");
            Map<String, Map<?, ?>> made = objects("everything");
            assertThat(at(made.get("Secret holdfast-store"), "stringData").get("url"))
                    .isEqualTo("postgresql://user:p%40ss@host/database");
            assertThat(volume(made, "store")).contains("holdfast-store", "key=url");
            assertThat(volume(objects("usual"), "store")).contains("holdfast-store", "key=url");
            assertThat(volume(objects("least"), "config")).contains("mine");
        }

        private static String volume(Map<String, Map<?, ?>> objects, String name) {
            return ((List<?>) pod(objects).get("volumes"))
                    .stream()
                            .map(volume -> (Map<?, ?>) volume)
                            .filter(volume -> volume.get("name").equals(name))
                            .findFirst()
                            .orElseThrow()
                            .toString();
        }

        @Test
        @DisplayName("finds its pods by labels they have, and mounts volumes there are")
        void selectors() throws IOException {
            Map<String, Map<?, ?>> objects = objects("everything");
            Map<?, ?> deployment = at(objects.get("Deployment holdfast"), "spec");
            Set<? extends Map.Entry<?, ?>> labels =
                    at(deployment, "template", "metadata", "labels").entrySet();
            List<Map<?, ?>> selectors = List.of(
                    at(deployment, "selector", "matchLabels"),
                    at(objects.get("Service holdfast"), "spec", "selector"),
                    at(objects.get("PodDisruptionBudget holdfast"), "spec", "selector", "matchLabels"),
                    at(objects.get("NetworkPolicy holdfast"), "spec", "podSelector", "matchLabels"));
            for (Map<?, ?> selector : selectors) {
                assertThat(labels.containsAll(selector.entrySet()))
                        .as(selector.toString())
                        .isTrue();
            }
            assertThat(at(objects.get("Service holdfast"), "metadata", "labels")
                            .entrySet()
                            .containsAll(at(objects.get("ServiceMonitor holdfast"), "spec", "selector", "matchLabels")
                                    .entrySet()))
                    .isTrue();
            assertThat(names(container(objects).get("volumeMounts")))
                    .containsExactlyInAnyOrderElementsOf(names(pod(objects).get("volumes")));
        }

        private static List<Object> names(Object list) {
            List<Object> names = new ArrayList<>();
            ((List<?>) list).forEach(one -> names.add(((Map<?, ?>) one).get("name")));
            return names;
        }

        @Test
        @DisplayName("brings the alerts and the dashboard as they are, and the job that the alert on 'up' looks for")
        void observed() throws IOException {
            Map<String, Map<?, ?>> objects = objects("everything");
            assertThat(objects.get("PrometheusRule holdfast").get("spec"))
                    .isEqualTo(new Load(LoadSettings.builder().build())
                            .loadFromString(text(EXAMPLES.resolve("alerts/prometheus-rules.yaml"))));
            assertThat(at(objects.get("ConfigMap holdfast-dashboard"), "data").get("holdfast.json"))
                    .isEqualTo(text(Path.of("../deploy/grafana/holdfast.json")));
            assertThat(objects.get("ServiceMonitor holdfast").toString())
                    .contains("targetLabel=job, replacement=holdfast", "path=/metrics", "scheme=https");
        }

        @Test
        @DisplayName("lets through what it is told, and only that")
        void network() throws IOException {
            Map<?, ?> open = at(objects("usual").get("NetworkPolicy holdfast"), "spec");
            assertThat(open.toString())
                    .contains("policyTypes=[Ingress]", "port=http")
                    .doesNotContain("from");
            Map<?, ?> closed = at(objects("everything").get("NetworkPolicy holdfast"), "spec");
            assertThat(closed.toString())
                    .contains("policyTypes=[Ingress, Egress]", "team=shop", "port=53", "cidr=10.0.0.0/8");
            assertThat(objects("least").keySet()).containsExactly("Deployment holdfast", "Service holdfast");
        }

        @Test
        @DisplayName("names the image by its digest, if there is one")
        void image() throws IOException {
            assertThat(container(objects("everything")).get("image"))
                    .isEqualTo("registry.example.com/holdfast:1.2.3@sha256:" + "a".repeat(64));
        }

        @Test
        @DisplayName("refuses values that cannot work, and says which")
        void refused() throws IOException {
            assertThat(refusal("nobody")).contains("It must say who may call");
            assertThat(refusal("nowhere")).contains("Set store.existingSecret");
            assertThat(refusal("misspelt").toLowerCase(Locale.ROOT)).contains("replicacount");
            assertThat(refusal("onefile")).contains("url");
            assertThat(refusal("digest")).contains("digest");
            assertThat(refusal("unnamed")).contains("Set ingress.host");
        }
    }

    @Nested
    @DisplayName("in its files")
    class InItsFiles {
        @Test
        @DisplayName("each value that a template uses is in values.yaml and in the schema, and each of those is used")
        void values() throws IOException {
            Set<String> used = new TreeSet<>();
            try (Stream<Path> all = Files.list(CHART.resolve("templates"))) {
                all.forEach(file -> VALUE.matcher(text(file))
                        .results()
                        .forEach(found -> used.add(found.group(1).substring(1))));
            }
            Map<?, ?> values = (Map<?, ?>)
                    new Load(LoadSettings.builder().build()).loadFromString(text(CHART.resolve("values.yaml")));
            Json schema = Json.of(text(CHART.resolve("values.schema.json")));
            Set<String> given = new TreeSet<>();
            values.forEach((name, value) -> given.addAll(
                    paths((String) name, value, schema.get("properties").get((String) name))));
            assertThat(used).isEqualTo(given);
        }

        /** The names of values, as deep as the schema names them. */
        private static List<String> paths(String name, Object value, Json schema) {
            if (!(value instanceof Map<?, ?> map) || !schema.has("properties")) {
                return List.of(name);
            }
            List<String> paths = new ArrayList<>();
            map.forEach((part, inner) -> paths.addAll(
                    paths(name + "." + part, inner, schema.get("properties").get((String) part))));
            return paths;
        }

        @Test
        @DisplayName("the alerts and the dashboard are copies of those that are tested")
        void copies() throws IOException {
            assertThat(CHART.resolve("files/prometheus-rules.yaml"))
                    .hasSameTextualContentAs(EXAMPLES.resolve("alerts/prometheus-rules.yaml"));
            assertThat(CHART.resolve("files/dashboard.json"))
                    .hasSameTextualContentAs(Path.of("../deploy/grafana/holdfast.json"));
        }

        @Test
        @DisplayName("the version of the app is that of this build")
        void version() throws IOException {
            String pom = text(Path.of("../pom.xml"));
            String version = pom.substring(pom.indexOf("<version>") + 9, pom.indexOf("</version>"));
            assertThat(text(CHART.resolve("Chart.yaml"))).contains("\nappVersion: " + version + "\n");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<?, ?> at(Map<?, ?> tree, String... names) {
        Map<?, ?> found = tree;
        for (String name : names) {
            found = (Map<?, ?>) found.get(name);
            assertThat(found).as(name).isNotNull();
        }
        return found;
    }
}
