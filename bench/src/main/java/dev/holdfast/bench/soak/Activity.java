package dev.holdfast.bench.soak;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One thing that clients do; called by several threads at once, each time with another number. */
interface Activity {
    /** Does it once. What goes wrong is counted by the target; nothing is thrown for it. */
    void once(long number) throws InterruptedException;

    /** Takes away what it left behind at a server that others use. */
    default void cleanUp() throws InterruptedException {}

    /** The namespace of all locks. */
    String NAMESPACE = "soak";

    /** Names that come up only now and then: so many that most are forgotten before they come up again. */
    int SELDOM = 2_000;

    Set<Integer> FINE = Set.of(200);

    private static String lease(String name, String leaseId) {
        return "\"namespace\":\"" + NAMESPACE + "\",\"name\":\"" + name + "\",\"lease_id\":\"" + leaseId + "\"";
    }

    private static String leases(String name, String leaseId) {
        return "{\"leases\":[{" + lease(name, leaseId) + "}]}";
    }

    /**
     * A lock is taken, renewed and released; on a server of our own every fourth has a name that comes up seldom and must be forgotten in
     * time, and some are left to end by themselves.
     */
    static Activity locks(SoakTarget target, int keys, boolean throwAway, String run) {
        return number -> {
            boolean seldom = throwAway && number % 4 == 0;
            String name = seldom ? "seldom-" + number / 4 % SELDOM : "lock-" + number % keys;
            String leaseId = run + "-lock-" + number;
            boolean left = number % 16 == 0;
            SoakTarget.Answer answer = target.timedCall(
                    "POST",
                    "/v2/locks/acquire",
                    "{" + lease(name, leaseId) + ",\"lease_ms\":" + (left ? 200 : 10_000) + "}",
                    Set.of(200, 423)); // another thread may be at the same key
            if (answer.status() != 200 || left) {
                return;
            }
            target.call("POST", "/v2/locks/renew", leases(name, leaseId), FINE);
            target.call("POST", "/v2/locks/release", leases(name, leaseId), FINE);
        };
    }

    /** Somebody waits for what another holds, gets it when it is released, and releases it. */
    static Activity waits(SoakTarget target, int keys, String run) {
        return number -> {
            String name = "queue-" + number % keys;
            String first = run + "-first-" + number;
            String second = run + "-second-" + number;
            String wait = ",\"lease_ms\":10000,\"wait_ms\":10000}";
            SoakTarget.Answer held =
                    target.call("POST", "/v2/locks/acquire", "{" + lease(name, first) + wait, Set.of(200, 202));
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                try {
                    target.call("POST", "/v2/locks/acquire", "{" + lease(name, second) + wait, Set.of(200, 202));
                    target.call("POST", "/v2/locks/release", leases(name, second), FINE);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            if (held.status() == 200 || held.status() == 202) {
                target.call("POST", "/v2/locks/release", leases(name, first), FINE);
            }
            try {
                waiting.get();
            } catch (ExecutionException e) {
                target.failed("a waiter ended with " + e.getCause());
            }
        };
    }

    /** A stack is locked, read, saved and unlocked, as Terraform does. */
    static Activity state(SoakTarget target) {
        int stacks = 4;
        return new Activity() {
            private String path(long stack) {
                return "/state/soak-" + stack + "/test";
            }

            @Override
            public void once(long number) throws InterruptedException {
                String path = path(number % stacks);
                String id = String.format(
                        Locale.ROOT, "%08x-0000-4000-8000-%012x", System.nanoTime() & 0xffff_ffffL, number);
                String lock = "{\"ID\":\"" + id + "\",\"Who\":\"soak\",\"Operation\":\"OperationTypeApply\"}";
                if (target.call("LOCK", path, lock, Set.of(200, 423)).status() != 200) {
                    return; // another thread has it
                }
                target.call("GET", path, "", Set.of(200, 404));
                target.call("POST", path + "?ID=" + id, document(number), FINE);
                target.call("UNLOCK", path, "{\"ID\":\"" + id + "\"}", FINE);
            }

            /** About 4 KB, each time others. */
            private String document(long serial) {
                StringBuilder text = new StringBuilder(4_500)
                        .append("{\"version\":4,\"serial\":")
                        .append(serial)
                        .append(",\"lineage\":\"soak\",\"resources\":[");
                for (int i = 0; i < 40; i++) {
                    text.append(i == 0 ? "" : ",")
                            .append("{\"mode\":\"managed\",\"type\":\"soak\",\"name\":\"r")
                            .append(i)
                            .append("\",\"instances\":[{\"attributes\":{\"id\":\"")
                            .append(Long.toHexString(serial * 31 + i))
                            .append("\"}}]}");
                }
                return text.append("]}").toString();
            }

            @Override
            public void cleanUp() throws InterruptedException {
                for (int stack = 0; stack < stacks; stack++) {
                    target.call("DELETE", path(stack), "", Set.of(200, 404));
                }
            }
        };
    }

    /** Apps that share a database are registered and asked about; on a server of our own the database is also stopped and started. */
    static Activity guard(SoakTarget target, String appsUrl, boolean throwAway) {
        int apps = 4;
        return new Activity() {
            @Override
            public void once(long number) throws InterruptedException {
                String app = "/api/guard/apps/soak-" + number % apps;
                String registration =
                        "{\"url\":\"" + appsUrl + "\",\"databases\":[{\"type\":\"postgres\",\"host\":\"soak-db-"
                                + number % 2 + "\"}]}"; // two apps for each
                target.call("PUT", app, registration, FINE);
                target.call("POST", app + "/stop", throwAway ? "{}" : "{\"dry_run\":true}", FINE);
                if (throwAway) {
                    target.call("POST", app + "/start", "{}", FINE);
                }
                target.get("/api/guard/resources?limit=10");
            }

            @Override
            public void cleanUp() throws InterruptedException {
                for (int app = 0; app < apps; app++) {
                    target.call("DELETE", "/api/guard/apps/soak-" + app, "", Set.of(200, 204, 404));
                }
            }
        };
    }

    /** What people and dashboards look at. */
    static Activity looks(SoakTarget target) {
        return number -> {
            switch ((int) (number % 4)) {
                case 0 -> target.get("/v2/overview");
                case 1 -> target.get("/v2/locks?namespace=" + NAMESPACE + "&limit=50");
                case 2 -> target.get("/v2/history?namespace=" + NAMESPACE + "&limit=50");
                default -> target.get("/state?limit=10");
            }
        };
    }
}
