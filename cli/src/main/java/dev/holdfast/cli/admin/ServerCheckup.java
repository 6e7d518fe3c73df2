package dev.holdfast.cli.admin;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FailureMessage;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.ServerLocks;
import dev.holdfast.model.LockKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Can this machine use this server, and what may it do there. What the server is set to is not told to clients; that is for
 * {@code holdfast config show} on its own machine.
 */
record ServerCheckup(URI url, String namespace, ServerConfig server, Checkup checkup, ServerCalls calls) {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** A part that cannot be opened is waited for by the server itself, for a few seconds. */
    private static final Duration PART_PATIENCE = Duration.ofSeconds(15);

    private static final int ROUND_TRIPS = 20;
    /** Parts of a server beside the locks, and a call that only looks at them. */
    private static final Map<String, String> PARTS = new TreeMap<>(
            Map.of("history", "/v2/history?limit=1", "state", "/state?limit=1", "guard", "/api/guard/apps?limit=1"));

    static ServerCheckup of(ServerConfig server, String namespace, Checkup checkup) {
        URI url = server.servers().get(0);
        return new ServerCheckup(url, namespace, server, checkup, new ServerCalls(server, PATIENCE));
    }

    boolean answers() throws InterruptedException {
        try {
            get("/health/live");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    void run() throws InterruptedException {
        try {
            if (ready()) {
                latency();
                clock();
                if (roles()) {
                    locks();
                }
                if (!checkup.hasFailed()) {
                    parts();
                }
            }
        } catch (IllegalArgumentException e) {
            checkup.fail(
                    "'" + url + "' is not the URL of a server, such as http://127.0.0.1:8080: " + e.getMessage(),
                    ExitCodes.USAGE);
        } catch (IOException e) {
            checkup.fail(
                    ServerCalls.isUntrusted(e)
                            ? FailureMessage.untrusted(url.toString())
                            : "no server answers at " + url + " (" + ServerCalls.why(e)
                                    + "). Is it running, is this its port, is there a firewall or proxy in between?",
                    ExitCodes.UNREACHABLE);
        }
    }

    private boolean ready() throws IOException, InterruptedException {
        HttpResponse<String> answer = get("/health/ready");
        Optional<String> status = ServerCalls.field(answer, "status");
        if (status.isEmpty()) {
            checkup.fail(
                    url + " answers with " + answer.statusCode() + ", but not like a Holdfast server",
                    ExitCodes.CHECK_SAID_NO);
            return false;
        }
        if (answer.statusCode() != 200) {
            checkup.fail(
                    "server " + url + " is not ready: "
                            + ServerCalls.field(answer, "reason").orElse("it does not say why"),
                    ExitCodes.CHECK_SAID_NO);
            return false;
        }
        checkup.ok("server " + url + " (" + ServerCalls.field(answer, "node").orElse("?") + ") is ready; its store is "
                + ServerCalls.field(answer, "store").orElse("?") + ", answers it in "
                + ServerCalls.field(answer, "store_latency_ms").orElse("?") + " ms, and its clock is known within "
                + ServerCalls.field(answer, "clock_error_ms").orElse("?") + " ms");
        return true;
    }

    private void latency() throws IOException, InterruptedException {
        long[] taken = new long[ROUND_TRIPS];
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long start = System.nanoTime();
            get("/health/live");
            taken[i] = System.nanoTime() - start;
        }
        checkup.ok(ROUND_TRIPS + " round trips: " + Checkup.spread(taken));
    }

    private void clock() throws IOException, InterruptedException {
        Instant before = Instant.now();
        HttpResponse<String> answer = get("/api/locks/status?namespace=" + namespace);
        Optional<Instant> time = ServerCalls.field(answer, "server_time").map(Instant::parse);
        if (time.isEmpty()) {
            return; // it may not be read; what may be is told below
        }
        Instant after = Instant.now();
        Duration off = time.get().isBefore(before)
                ? Duration.between(time.get(), before)
                : time.get().isAfter(after) ? Duration.between(after, time.get()) : Duration.ZERO;
        checkup.clock(off, "server clock is ");
    }

    /** Tries what each role allows, without changing anything; whether locks may be taken. */
    private boolean roles() throws IOException, InterruptedException {
        String key = "\"namespace\":\"" + namespace + "\",\"name\":\"holdfast-doctor-roles\"";
        int read = get("/v2/lock?namespace=" + namespace + "&name=holdfast-doctor-roles")
                .statusCode();
        if (read == 401) {
            checkup.fail(
                    server.token().isPresent()
                            ? "the server does not know this token; make one: holdfast token create"
                            : "the server wants a token: --token-file or HOLDFAST_TOKEN_FILE",
                    ExitCodes.REFUSED);
            return false;
        }
        int lock = post("/v2/locks/release", "{\"leases\":[{" + key + ",\"lease_id\":\"holdfast-doctor\"}]}");
        int admin = post("/v2/locks/force-unlock", "{" + key + ",\"fencing_token\":1,\"reason\":\"holdfast doctor\"}");
        List<String> roles = new ArrayList<>();
        if (read == 200) {
            roles.add("read");
        }
        if (lock == 200) {
            roles.add("lock");
        }
        if (admin == 409) {
            roles.add("admin"); // it would have been done, had there been such a holder
        }
        String who = "in '" + namespace + "', "
                + (server.token().isPresent() ? "the token" : "a caller without a token") + " may: ";
        if (roles.isEmpty()) {
            checkup.fail(who + "nothing (answers " + read + ", " + lock + ", " + admin + ")", ExitCodes.REFUSED);
        } else if (lock != 200) {
            checkup.warn(who + String.join(", ", roles) + "; it may not take locks");
        } else {
            checkup.ok(who + String.join(", ", roles));
        }
        return lock == 200;
    }

    /** What a server may have to do without though it serves locks; each says itself why. What this caller may not see is not told. */
    private void parts() throws IOException, InterruptedException {
        List<String> working = new ArrayList<>();
        ServerCalls patient = new ServerCalls(server, PART_PATIENCE);
        for (Map.Entry<String, String> part : PARTS.entrySet()) {
            HttpResponse<String> answer = patient.ask(url, "GET", part.getValue(), Optional.empty());
            int status = answer.statusCode();
            if (status == 200) {
                working.add(part.getKey());
            } else if (status >= 500) {
                checkup.warn(part.getKey() + " does not work: "
                        + ServerCalls.field(answer, "detail")
                                .orElse("the server answers " + status + " and does not say why"));
            }
        }
        if (!working.isEmpty()) {
            checkup.ok("works: " + String.join(", ", working));
        }
    }

    private void locks() throws InterruptedException {
        try (LockClient locks = ServerLocks.client(server, ClientConfig.DEFAULT.withNamespace(namespace))) {
            LockKey key = LockTrial.key(namespace);
            checkup.check(() -> LockTrial.run(locks, key, checkup));
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return calls.ask(url, "GET", path, Optional.empty());
    }

    private int post(String path, String json) throws IOException, InterruptedException {
        return calls.ask(url, "POST", path, Optional.of(json)).statusCode();
    }
}
