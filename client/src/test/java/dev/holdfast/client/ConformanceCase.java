package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.AcquireOptions;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.Ports;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** One case of clients/conformance/conformance.json; its README says how it is read. For one thread. */
final class ConformanceCase implements AutoCloseable {
    private static final Set<String> KNOWN = Set.of(
            "do",
            "client",
            "lock",
            "as",
            "lease_ms",
            "wait_ms",
            "renew",
            "mode",
            "limit",
            "path",
            "owner",
            "reason",
            "metadata",
            "namespace",
            "start",
            "of",
            "lease",
            "holders",
            "waiters",
            "leases",
            "state",
            "expect");

    private final Json.Obj script;
    private final Json.Obj told;
    private final String suffix;
    private final String server;
    private final Executor threads;
    private final CuttableLine line;
    private final LockClient operator;
    private final Map<String, LockClient> clients = new HashMap<>();
    private final Map<String, HeldCase> leases = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<SeenFields>> started = new HashMap<>();
    private final List<HttpServer> stubs = new ArrayList<>();

    /** A lease, and what its callback was told. */
    private record HeldCase(Lease lease, List<LostReason> losses) {}

    /** What came of a step: fields of {@code expect}, and those who hold a lock that is busy. */
    private record SeenFields(Map<String, String> fields, List<Holder> holders, Optional<Lease> lease) {
        static SeenFields of(Map<String, String> fields) {
            return new SeenFields(fields, List.of(), Optional.empty());
        }
    }

    ConformanceCase(Json.Obj script, Json.Obj one, int number, int port, Executor threads) {
        this.script = script;
        this.told = one;
        this.suffix = "-" + number + "-" + UUID.randomUUID().toString().substring(0, 8);
        this.server = "http://127.0.0.1:" + port;
        this.threads = threads;
        this.line = new CuttableLine(port);
        this.operator = LockClient.connect(server);
    }

    void run() {
        for (Json.Obj step : told.objects("steps")) {
            try {
                Set<String> unknown = new HashSet<>(step.members().keySet());
                unknown.removeAll(KNOWN);
                assertThat(unknown).as("what this runner does not know").isEmpty();
                step(step);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(new String(step.bytes(), StandardCharsets.UTF_8) + ": " + e.getMessage(), e);
            }
        }
        leases.forEach((name, held) ->
                assertThat(held.losses()).as("losses of '" + name + "'").hasSizeLessThan(2));
    }

    private void step(Json.Obj step) {
        switch (text(step, "do")) {
            case "acquire" -> acquire(step);
            case "join" -> compare(step, Await.get(started.get(text(step, "of"))));
            case "release" -> release(step);
            case "check" -> check(step);
            case "lost" -> lost(step);
            case "force" -> {
                Lease lease = held(step).lease();
                operator.inspect()
                        .forceUnlock(lease.key(), lease.token(), "a test")
                        .orThrow();
            }
            case "await" -> await(step);
            case "pause" -> pause(step);
            case "line" -> line(text(step, "state"));
            case "close" -> client(text(step, "client")).close();
            default -> throw new AssertionError("this runner does not know '" + text(step, "do") + "'");
        }
    }

    // ---- taking

    private void acquire(Json.Obj step) {
        LockClient client = client(text(step, "client"));
        if (step.text("start").isPresent()) {
            started.put(text(step, "start"), CompletableFuture.supplyAsync(() -> acquired(client, step), threads));
        } else {
            compare(step, acquired(client, step));
        }
    }

    private SeenFields acquired(LockClient client, Json.Obj step) {
        try {
            LockKey whole = LockKey.of(step.text("namespace").orElse(text(script, "namespace")), name(step));
            LockKey key = step.text("path").map(whole::at).orElse(whole);
            return client.tryAcquire(key, options -> options(step, options))
                    .fold(
                            done -> granted(step, done.value()),
                            busy -> new SeenFields(Map.of("outcome", "busy"), busy.holders(), Optional.empty()),
                            lost -> error("lease-lost", lost.reason().toString()));
        } catch (RuntimeException e) {
            return error(nameOf(e), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void options(Json.Obj step, AcquireOptions options) {
        options.lease(Duration.ofMillis(step.number("lease_ms").orElseGet(() -> number(script, "lease_ms"))));
        options.waitUpTo(Duration.ofMillis(step.number("wait_ms").orElse(0L)));
        step.text("owner").ifPresent(options::owner);
        step.text("reason").ifPresent(options::reason);
        step.textsByName("metadata").forEach(options::metadata);
        if (step.get("renew").isPresent() && !step.truth("renew")) {
            options.withoutRenewal();
        }
        switch (step.text("mode").orElse("exclusive")) {
            case "shared" -> options.shared();
            case "permit" -> options.permit((int) number(step, "limit"));
            default -> {}
        }
    }

    private SeenFields granted(Json.Obj step, Lease lease) {
        HeldCase held = new HeldCase(lease, new CopyOnWriteArrayList<>());
        lease.onLost(held.losses()::add);
        leases.put(text(step, "as"), held);
        Map<String, String> fields = Map.of("outcome", "granted", "valid", Boolean.toString(lease.isValid()));
        return new SeenFields(fields, List.of(), Optional.of(lease));
    }

    private static SeenFields error(String name, String message) {
        return SeenFields.of(Map.of("outcome", "error", "error", name, "message", message));
    }

    private static String nameOf(RuntimeException failure) {
        if (failure instanceof IllegalArgumentException) {
            return "invalid-request";
        } else if (failure instanceof AccessRefusedException) {
            return "access-refused";
        } else if (failure instanceof StoreUnavailableException) {
            return "store-unavailable";
        } else if (failure instanceof StoreUnusableException) {
            return "store-unusable";
        } else if (failure instanceof OutcomeUnknownException) {
            return "outcome-unknown";
        } else if (failure instanceof ClientClosedException) {
            return "client-closed";
        }
        throw new AssertionError("an error without a name", failure);
    }

    // ---- the other steps

    private void release(Json.Obj step) {
        try {
            boolean was = held(step).lease().release();
            compare(step, SeenFields.of(Map.of("outcome", was ? "released" : "not-held")));
        } catch (RuntimeException e) {
            compare(step, error(nameOf(e), String.valueOf(e.getMessage())));
        }
    }

    private void check(Json.Obj step) {
        HeldCase held = held(step);
        compare(
                step,
                SeenFields.of(Map.of(
                        "valid", Boolean.toString(held.lease().isValid()),
                        "lost", Boolean.toString(!held.losses().isEmpty()))));
    }

    private void lost(Json.Obj step) {
        HeldCase held = held(step);
        Await.until("the loss is told", () -> !held.losses().isEmpty());
        compare(
                step,
                SeenFields.of(Map.of("reason", LeaseJson.label(held.losses().get(0)))));
    }

    private void await(Json.Obj step) {
        LockKey key = LockKey.of(text(script, "namespace"), name(step));
        Await.until(
                "holders and waiters are these",
                Await.LIMIT,
                () -> {
                    LockView view = operator.inspect().get(key);
                    List<String> waiters =
                            view.waiters().stream().map(LockView.Waiting::owner).toList();
                    List<String> wanted = step.objects("waiters").stream()
                            .map(one -> text(one, "owner"))
                            .toList();
                    return (step.get("holders").isEmpty() || alike(view.holders(), step.objects("holders")))
                            && (step.get("waiters").isEmpty() || waiters.equals(wanted));
                },
                () -> ", but " + operator.inspect().get(key));
    }

    private void pause(Json.Obj step) {
        double leases = step.decimal("leases").orElseThrow().doubleValue();
        try {
            TimeUnit.MILLISECONDS.sleep((long) (leases * number(script, "lease_ms")));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void line(String state) {
        switch (state) {
            case "open" -> {
                line.cut(); // what was on the way is lost
                line.heal();
            }
            case "cut" -> {
                line.heal();
                line.cut();
            }
            case "silent" -> {
                line.heal();
                line.freeze();
            }
            case "deaf" -> {
                line.heal();
                line.loseAnswers();
            }
            default -> throw new AssertionError("a line is not '" + state + "'");
        }
    }

    // ---- what is expected

    private void compare(Json.Obj step, SeenFields seen) {
        Json.Obj expected = step.object("expect").orElseThrow();
        expected.members().forEach((name, value) -> {
            switch (name) {
                case "holders" ->
                    assertThat(alike(seen.holders(), expected.objects(name)))
                            .as("those who hold it: " + seen.holders())
                            .isTrue();
                case "token_greater_than" ->
                    assertThat(seen.lease().orElseThrow().token())
                            .isGreaterThan(leases.get(value.plain()).lease().token());
                default -> {
                    List<String> right = value instanceof Json.Arr ? expected.texts(name) : List.of(value.plain());
                    assertThat(right)
                            .as(name + " of " + seen.fields())
                            .contains(seen.fields().get(name));
                }
            }
        });
    }

    private static boolean alike(List<Holder> seen, List<Json.Obj> expected) {
        List<Holder> holders =
                seen.stream().sorted(Comparator.comparing(Holder::owner)).toList();
        List<Json.Obj> wanted = expected.stream()
                .sorted(Comparator.comparing(one -> text(one, "owner")))
                .toList();
        boolean alike = holders.size() == wanted.size();
        for (int i = 0; alike && i < wanted.size(); i++) {
            Holder holder = holders.get(i);
            alike = holder.owner().equals(text(wanted.get(i), "owner"))
                    && wanted.get(i).text("reason").orElse(holder.reason()).equals(holder.reason())
                    && holder.metadata()
                            .entrySet()
                            .containsAll(wanted.get(i).textsByName("metadata").entrySet());
        }
        return alike;
    }

    // ---- around it

    private LockClient client(String name) {
        return clients.computeIfAbsent(name, n -> {
            Json.Obj wanted =
                    told.object("clients").flatMap(all -> all.object(n)).orElse(Json.object());
            List<String> servers = wanted.texts("servers");
            String[] addresses = (servers.isEmpty() ? List.of("server") : servers)
                    .stream().map(this::address).toArray(String[]::new);
            ClientConfig config = ClientConfig.DEFAULT.withOwner(n);
            return ServerLocks.client(
                    ServerConfig.of(addresses),
                    wanted.number("timeout_ms")
                            .map(Duration::ofMillis)
                            .map(config::withOperationTimeout)
                            .orElse(config));
        });
    }

    private String address(String name) {
        return switch (name) {
            case "server" -> server;
            case "dead" -> "http://127.0.0.1:" + Ports.free();
            case "line" -> "http://127.0.0.1:" + line.port();
            default ->
                stub(script.object("stubs").flatMap(all -> all.object(name)).orElseThrow());
        };
    }

    private String stub(Json.Obj answer) {
        try {
            HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
            byte[] body = text(answer, "body").getBytes(StandardCharsets.UTF_8);
            stub.createContext("/", exchange -> {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().add("Content-Type", text(answer, "type"));
                exchange.sendResponseHeaders((int) number(answer, "status"), body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            stub.start();
            stubs.add(stub);
            return "http://127.0.0.1:" + stub.getAddress().getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HeldCase held(Json.Obj step) {
        return Optional.ofNullable(leases.get(text(step, "lease"))).orElseThrow();
    }

    private String name(Json.Obj step) {
        return text(step, "lock") + suffix;
    }

    private static String text(Json.Obj from, String name) {
        return from.text(name).orElseThrow(() -> new AssertionError("'" + name + "' is missing"));
    }

    private static long number(Json.Obj from, String name) {
        return from.number(name).orElseThrow(() -> new AssertionError("'" + name + "' is missing"));
    }

    @Override
    public void close() {
        clients.values().forEach(LockClient::close);
        operator.close();
        line.close();
        stubs.forEach(stub -> stub.stop(0));
    }
}
