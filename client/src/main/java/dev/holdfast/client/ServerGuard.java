package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.guard.App;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.RegistrationResult;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.guard.wire.AnswerJson;
import dev.holdfast.guard.wire.AppJson;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.guard.wire.StatusJson;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.Json;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The guard of a server. While the server is busy with the same resource, calls are retried for as long as an operation may take. A call
 * that is interrupted ends at once; what it asked for was sent, and may be done all the same.
 */
public final class ServerGuard implements Guard {
    private static final String APPS = "/api/guard/apps";
    private static final String RESOURCES = "/api/guard/resources";
    /** A server that always tells of more does not hold a caller for ever. */
    private static final int MAX_PAGES = 1_000;

    private final Calls calls;

    private ServerGuard(Calls calls) {
        this.calls = calls;
    }

    public static Guard connect(ServerConfig servers, ClientConfig config) {
        return new ServerGuard(new Calls(servers, config));
    }

    private static String path(String app) {
        return APPS + "/" + Calls.escaped(app);
    }

    // ---- apps

    @Override
    public RegistrationResult register(Registration registration) throws InterruptedException {
        byte[] body = AppJson.write(registration).without("app").bytes();
        return read(
                AppJson::readResult,
                put("the registration of app '" + registration.app() + "'", path(registration.app()), body));
    }

    @Override
    public List<String> registerAll(List<Registration> registrations) throws InterruptedException {
        Json.Obj all = Json.object().with("apps", Json.array(registrations, AppJson::write));
        return AppJson.warnings(put("the registration of " + registrations.size() + " apps", APPS, all.bytes()));
    }

    private Json.Obj put(String what, String path, byte[] body) throws InterruptedException {
        return checked(what, calls.sendInterruptibly(what, "PUT", path, Optional.of(body)));
    }

    @Override
    public boolean unregister(String app) throws InterruptedException {
        return calls.sendInterruptibly("the removal of app '" + app + "'", "DELETE", path(app), Optional.empty())
                        .status()
                != 404;
    }

    @Override
    public Collection<App> apps() throws InterruptedException {
        return all("the listing of apps", APPS, AppJson::read);
    }

    @Override
    public App app(String name) throws InterruptedException {
        return read(AppJson::read, checked(name, calls.getInterruptibly("the look at app '" + name + "'", path(name))));
    }

    /** Comes when the server has looked; the calling thread waits for it. */
    @Override
    public CompletableFuture<QuickStatus> status(String app) throws InterruptedException {
        String path = new RequestQuery("/status/quick").with("app", app).toString();
        Json.Obj seen = checked(
                app,
                calls.sendInterruptibly("the look whether app '" + app + "' answers", "GET", path, Optional.empty()));
        return CompletableFuture.completedFuture(read(StatusJson::read, seen));
    }

    // ---- resources

    @Override
    public List<ResourceView> resources() throws InterruptedException {
        return all("the listing of resources", RESOURCES, ResourceJson::read);
    }

    @Override
    public Optional<ResourceView> resource(String dbIdentifier) throws InterruptedException {
        ServerReply reply = calls.getInterruptibly(
                "the look at resource '" + dbIdentifier + "'", RESOURCES + "/" + Calls.escaped(dbIdentifier));
        return reply.status() == 404
                ? Optional.empty()
                : reply.body().objects("items").stream().findFirst().map(it -> read(ResourceJson::read, it));
    }

    private <T> List<T> all(String what, String path, Function<Json, T> each) throws InterruptedException {
        List<T> items = new ArrayList<>();
        Optional<String> next = Optional.empty();
        for (int i = 0; i == 0 || (next.isPresent() && i < MAX_PAGES); i++) {
            Json.Obj page = calls.getInterruptibly(
                            what, new RequestQuery(path).with("cursor", next).toString())
                    .body();
            page.objects("items").forEach(item -> items.add(read(each, item)));
            next = page.text("next_cursor");
        }
        return items;
    }

    // ---- stopping and starting

    @Override
    public GuardAnswer checkStop(String app) throws InterruptedException {
        return judged(app, "stop", true);
    }

    @Override
    public GuardAnswer checkStart(String app) throws InterruptedException {
        return judged(app, "start", true);
    }

    @Override
    public GuardAnswer stop(String app) throws InterruptedException {
        return judged(app, "stop", false);
    }

    @Override
    public GuardAnswer start(String app) throws InterruptedException {
        return judged(app, "start", false);
    }

    /** May be sent again: what an app wants is stored, and wanting it twice is wanting it. */
    private GuardAnswer judged(String app, String what, boolean dryRun) throws InterruptedException {
        byte[] body = Json.object().with("dry_run", Json.of(dryRun)).bytes();
        String asked = "the " + what + " of what app '" + app + "' uses";
        return read(
                AnswerJson::read,
                checked(app, calls.sendInterruptibly(asked, "POST", path(app) + "/" + what, Optional.of(body))));
    }

    /** An answer as this client understands it. A newer server may use words that came after this client. */
    private static <T> T read(Function<Json, T> how, Json.Obj answer) {
        try {
            return how.apply(answer);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new StoreUnusableException(
                    "The guard of the server answered with values that this client does not know; upgrade this client",
                    e);
        }
    }

    private static Json.Obj checked(String app, ServerReply reply) {
        if (reply.status() < 300) {
            return reply.body();
        }
        if (reply.status() == 404) {
            throw new UnknownAppException(app);
        }
        throw new InvalidAppException(reply.problem().errors());
    }

    @Override
    public void close() {
        calls.close();
    }
}
