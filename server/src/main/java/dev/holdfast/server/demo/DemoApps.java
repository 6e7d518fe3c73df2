package dev.holdfast.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.Registration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A few apps that answer, and the databases they share, for the guard to watch. They are pages of this process on a loopback port of
 * their own; what the guard decides is really decided. Most of it is recorded by the actuator {@code log}, which touches nothing; one
 * database is stopped through a webhook of this process that always refuses, so that there is a failure to look at.
 */
public final class DemoApps implements AutoCloseable {
    public static final String WEBHOOK = "ops-webhook";

    private static final int UP = 200;
    private static final int DOWN = 503;
    private static final String RECORDS = "log";
    private static final String OPERATIONS = "/operations/";
    private static final String NOWHERE = "http://127.0.0.1:1/";

    private final HttpServer pages;
    private final Map<String, Integer> answers = new ConcurrentHashMap<>();

    private DemoApps(HttpServer pages) {
        this.pages = pages;
    }

    /** Starts them; they answer at once. */
    public static DemoApps start() {
        try {
            HttpServer pages = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            DemoApps apps = new DemoApps(pages);
            pages.createContext("/", apps::answer);
            pages.createContext(OPERATIONS, DemoApps::operate);
            pages.start();
            return apps;
        } catch (IOException e) {
            throw new UncheckedIOException("The apps of the demo cannot listen: " + e.getMessage(), e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String app = exchange.getRequestURI().getPath().replace("/", "");
        exchange.sendResponseHeaders(answers.getOrDefault(app, DOWN), -1);
        exchange.close();
    }

    /** What it operates runs, and cannot be stopped. */
    private static void operate(HttpExchange exchange) throws IOException {
        boolean look = exchange.getRequestMethod().equals("GET");
        byte[] body = (look ? "{\"state\":\"running\"}" : "a snapshot of its volume is being taken")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(look ? UP : 409, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The settings of the actuator {@value #WEBHOOK}, which the guard needs for one of the databases. */
    public Map<String, String> webhook() {
        String url = address() + OPERATIONS + "{db_identifier}";
        return Map.of("type", "http", "stop_url", url, "start_url", url, "status_url", url);
    }

    /** Registers them, and has those judged that are not needed at night. */
    void register(Guard guard) throws InterruptedException {
        Registration.Use orders = database("postgres", "10.20.4.11:5432", "i-0a61f3c2orders", RECORDS);
        Registration.Use content = database("mysql", "10.20.4.12:3306", "i-0b72e4d1content", RECORDS);
        Registration.Use warehouse = database("postgres", "10.20.4.13:5432", "i-0c83d5e0warehouse", RECORDS);
        Registration.Use search = database("elasticsearch", "10.20.4.14:9200", "i-0d94c6f9search", WEBHOOK);
        Registration.Use sessions = database("redis", "10.20.4.15:6379", "i-0ea5b7a8sessions", RECORDS);
        app(guard, "shop", UP, orders);
        app(guard, "checkout", UP, orders);
        app(guard, "crm", DOWN, orders);
        app(guard, "blog", DOWN, content);
        app(guard, "wiki", DOWN, content);
        app(guard, "reports", DOWN, warehouse);
        app(guard, "search-preview", DOWN, search);
        app(guard, "sessions", DOWN, sessions);
        app(guard, "landing", UP);
        guard.register(new Registration("intranet", NOWHERE, List.of(sessions), Optional.empty()));
        for (String app : List.of("crm", "blog", "reports", "sessions")) {
            guard.start(app); // so that their databases are known to run
        }
        guard.stop("crm"); // not stopped: shop and checkout use the same database
        guard.stop("blog"); // not yet: wiki fails, but nobody asked to stop it
        guard.stop("reports"); // nobody else needs its database
        guard.stop("sessions"); // nobody can say whether intranet needs it
        guard.stop("search-preview"); // the webhook refuses
    }

    /** The night job of reports needs its database for a while, and then no more; so does the blog. */
    void wake(Guard guard) throws InterruptedException {
        guard.start("reports");
        guard.start("blog");
        answers.putAll(Map.of("reports", UP, "blog", UP, "wiki", UP));
    }

    void sleep(Guard guard) throws InterruptedException {
        answers.putAll(Map.of("reports", DOWN, "blog", DOWN, "wiki", DOWN));
        guard.stop("reports");
        guard.stop("blog");
    }

    private void app(Guard guard, String name, int answer, Registration.Use... databases) throws InterruptedException {
        answers.put(name, answer);
        guard.register(new Registration(name, address() + "/" + name, List.of(databases), Optional.empty()));
    }

    private String address() {
        return "http://127.0.0.1:" + pages.getAddress().getPort();
    }

    private static Registration.Use database(String type, String host, String instance, String actuator) {
        return new Registration.Use(type, Optional.of(host), Optional.of(instance), Optional.of(actuator));
    }

    @Override
    public void close() {
        pages.stop(0);
    }
}
