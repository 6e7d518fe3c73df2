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
import dev.holdfast.guard.wire.Members;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.guard.wire.StatusJson;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.ProblemJson;
import dev.holdfast.wire.json.Json;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The guard of a server. While the server is busy with the same resource, calls are retried for as long as an operation may take. A call
 * that is interrupted ends at once; what it asked for may have been sent, and be done all the same.
 */
public final class ServerGuard implements Guard {
    private static final String APPS = "/api/guard/apps";
    private static final String RESOURCES = "/api/guard/resources";
    private static final String UNKNOWN_APP = "unknown-app";
    private static final String NOT_UNDERSTOOD =
            "The guard of the server answered with values that this client does not"
                    + " know; upgrade this client, or check the address";
    /** As the last part of a path they would be about something else. */
    private static final Set<String> NO_PART_OF_A_PATH = Set.of("", ".", "..");
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
        String app = registration.app();
        if (!isName(app)) {
            registerAll(List.of(registration)); // which is refused with all that is wrong
        }
        byte[] body = AppJson.write(registration).without("app").bytes();
        return put(app, path(app), body, "the registration of app '" + app + "'", AppJson::readResult);
    }

    @Override
    public List<String> registerAll(List<Registration> registrations) throws InterruptedException {
        Json.Obj all = Json.object().with("apps", Json.array(registrations, AppJson::write));
        String what = "the registration of " + registrations.size() + (registrations.size() == 1 ? " app" : " apps");
        return put("", APPS, all.bytes(), what, AppJson::readWarnings);
    }

    private <T> T put(String app, String path, byte[] body, String what, Function<Json, T> how)
            throws InterruptedException {
        return changed(app, what, calls.sendInterruptibly(what, "PUT", path, Optional.of(body)), how);
    }

    @Override
    public boolean unregister(String app) throws InterruptedException {
        if (!isName(app)) {
            return false;
        }
        String what = "the removal of app '" + app + "'";
        ServerReply reply = calls.sendInterruptibly(what, "DELETE", path(app), Optional.empty());
        if (reply.problem().code().equals(UNKNOWN_APP)) {
            if (reply.doubted()) {
                throw new OutcomeUnknownException(
                        "App '" + app + "' is not registered any more, or never was: the first answer to " + what
                                + " was lost, so it is not known whether this call removed it",
                        null);
            }
            return false;
        }
        changed(app, what, reply, AppJson::read);
        return true;
    }

    @Override
    public Collection<App> apps() throws InterruptedException {
        return all("the listing of apps", APPS, AppJson::read);
    }

    @Override
    public App app(String name) throws InterruptedException {
        String what = "the look at app '" + name + "'";
        return looked(name, what, calls.getInterruptibly(what, path(known(name))), AppJson::read);
    }

    /** Comes when the server has looked, however long the app takes to answer it; the calling thread waits for it. */
    @Override
    public CompletableFuture<QuickStatus> status(String app) throws InterruptedException {
        String path = new RequestQuery("/status/quick").with("app", known(app)).toString();
        String what = "the check whether app '" + app + "' answers";
        return CompletableFuture.completedFuture(
                looked(app, what, calls.sendInterruptibly(what, "GET", path, Optional.empty()), StatusJson::read));
    }

    /** A name that an app can have. No other is asked for: in a path it might be something else. */
    private static String known(String app) {
        if (!isName(app)) {
            throw new UnknownAppException(app);
        }
        return app;
    }

    private static boolean isName(String app) {
        return app.matches(Registration.NAME);
    }

    // ---- resources

    @Override
    public List<ResourceView> resources() throws InterruptedException {
        return all("the listing of resources", RESOURCES, ResourceJson::read);
    }

    @Override
    public Optional<ResourceView> resource(String dbIdentifier) throws InterruptedException {
        if (NO_PART_OF_A_PATH.contains(dbIdentifier)) {
            return Optional.empty();
        }
        String what = "the look at resource '" + dbIdentifier + "'";
        ServerReply reply = calls.getInterruptibly(what, RESOURCES + "/" + Calls.escaped(dbIdentifier));
        return reply.problem().code().equals("unknown-resource")
                ? Optional.empty()
                : Optional.of(looked(
                        "", what, reply, it -> items(it, ResourceJson::read).get(0)));
    }

    private <T> List<T> all(String what, String path, Function<Json, T> each) throws InterruptedException {
        List<T> items = new ArrayList<>();
        Optional<String> next = Optional.empty();
        for (int i = 0; i < MAX_PAGES; i++) {
            String page = new RequestQuery(path).with("cursor", next).toString();
            Json.Obj found = looked("", what, calls.getInterruptibly(what, page), json -> {
                items.addAll(items(json, each));
                return (Json.Obj) json;
            });
            Optional<String> after = found.text("next_cursor");
            if (after.isEmpty()) {
                return items;
            }
            if (after.equals(next)) {
                break;
            }
            next = after;
        }
        throw new StoreUnusableException("The server does not finish " + what, null);
    }

    /** A list that is missing is not an empty one. */
    private static <T> List<T> items(Json page, Function<Json, T> each) {
        List<T> items = Members.all(page, "items", each);
        if (page.at("items").isNull()) {
            throw new IllegalArgumentException("it has no 'items'");
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
        ServerReply reply = calls.sendInterruptibly(asked, "POST", path(known(app)) + "/" + what, Optional.of(body));
        return dryRun ? looked(app, asked, reply, AnswerJson::read) : changed(app, asked, reply, AnswerJson::read);
    }

    // ---- what answers mean

    /** What a look has shown. A newer server may use words that came after this client. */
    private static <T> T looked(String app, String what, ServerReply reply, Function<Json, T> how) {
        if (reply.status() >= 300) {
            throw refusal(app, what, reply);
        }
        try {
            return how.apply(reply.body());
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException e) {
            throw new StoreUnusableException(NOT_UNDERSTOOD + " (" + what + ": " + e.getMessage() + ")", e);
        }
    }

    /** What came of a change. It may be done where its answer is lost or not understood, and then nothing else is certain. */
    private static <T> T changed(String app, String what, ServerReply reply, Function<Json, T> how) {
        if (reply.status() >= 300 && reply.doubted()) {
            throw new OutcomeUnknownException(
                    "It is not known whether " + what + " was done: the first answer was lost, and the repetition was"
                            + " refused (" + reply.problem().detail() + "). Look at the status before asking again",
                    null);
        }
        try {
            return looked(app, what, reply, how);
        } catch (StoreUnusableException e) {
            throw reply.status() >= 300
                    ? e
                    : new OutcomeUnknownException("It is not known what came of " + what + ": " + e.getMessage(), e);
        }
    }

    private static RuntimeException refusal(String app, String what, ServerReply reply) {
        ProblemJson problem = reply.problem();
        if (problem.code().equals(UNKNOWN_APP)) {
            return new UnknownAppException(app);
        }
        return switch (reply.status()) {
            case 400, 413, 415, 422, 428 -> new InvalidAppException(problem.errors());
            default ->
                new StoreUnusableException(
                        "The server answered " + reply.status() + " to " + what + ": " + problem.detail()
                                + ". Is this the address of a Holdfast server with a guard, of this version or newer?",
                        null);
        };
    }

    @Override
    public void close() {
        calls.close();
    }
}
