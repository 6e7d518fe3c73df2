package dev.holdfast.guard.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.actuator.FakeEndpoint;
import dev.holdfast.guard.actuator.FakeEndpoint.Answer;
import dev.holdfast.guard.actuator.FakeEndpoint.Asked;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One resource of AWS behind the query protocol: its state word, its tags, and how many looks a change takes. Every request must
 * carry a good signature.
 */
abstract class FakeAws implements AutoCloseable {
    static final String SECRET = "a-very-secret-key";

    final List<String> actions = new CopyOnWriteArrayList<>();
    final FakeEndpoint endpoint;
    volatile String word;
    /** Of everybody's; AWS allows so many. */
    final Map<String, String> tags = new ConcurrentSkipListMap<>(Map.of("Name", "db &amp; more"));

    private static final int MOST_TAGS = 50;
    volatile int looksPerChange = 2;
    /** Run once, just before the named action is judged. */
    final Map<String, Runnable> before = new ConcurrentHashMap<>();

    private final String service;
    private final Map<String, Deque<Answer>> failures = new HashMap<>();
    private String next = "";
    private int looksLeft;

    FakeAws(String service, String word) throws IOException {
        this.service = service;
        this.word = word;
        endpoint = new FakeEndpoint(this::answer, this::arrived);
    }

    abstract String describe();

    abstract Answer perform(String action, Map<String, String> form);

    abstract String error(String code, String message);

    /** The next answers to the action are this error. */
    synchronized void failing(String action, int times, int status, String code) {
        Deque<Answer> queue = failures.computeIfAbsent(action, key -> new ArrayDeque<>());
        for (int i = 0; i < times; i++) {
            queue.add(status <= 0 ? new Answer(status, "") : new Answer(status, error(code, "because")));
        }
    }

    void become(String onTheWay, String end) {
        word = onTheWay;
        next = end;
        looksLeft = looksPerChange;
    }

    /** The keys of the tags with tokens, without what all of them begin with. */
    List<String> tokens() {
        return tags.keySet().stream()
                .filter(key -> key.startsWith("holdfast:fencing-token:"))
                .map(key -> key.substring("holdfast:fencing-token:".length()))
                .toList();
    }

    /** As another caller would write it. */
    void token(long token) {
        tags.put("holdfast:fencing-token:" + token, Long.toString(token));
    }

    String tagsAs(String item, String key, String value) {
        StringBuilder xml = new StringBuilder();
        tags.forEach((name, text) -> xml.append(
                "<%s><%s>%s</%s><%s>%s</%s></%s>".formatted(item, key, name, key, value, text, value, item)));
        return xml.toString();
    }

    Answer tagged(String key, String value, Answer good) {
        if (!tags.containsKey(key) && tags.size() == MOST_TAGS) {
            return refuse(400, "TagLimitExceeded");
        }
        tags.put(key, value);
        return good;
    }

    /** Removes the tags named by parameters 1, 2, … of this pattern. */
    Answer untagged(Map<String, String> form, String pattern, Answer good) {
        String first = form.get(pattern.formatted(1));
        assertThat(first).as("EC2 removes all tags when none is named").isNotNull();
        for (int i = 1; form.containsKey(pattern.formatted(i)); i++) {
            tags.remove(form.get(pattern.formatted(i)));
        }
        return good;
    }

    Answer refuse(int status, String code) {
        return new Answer(status, error(code, "the state is " + word));
    }

    private void arrived(Asked asked) {
        Runnable hook = before.remove(form(asked.body()).get("Action"));
        if (hook != null) {
            hook.run();
        }
    }

    private Answer answer(Asked asked) throws Exception {
        assertThat(Signature.of(asked, service, SECRET)).isEqualTo(asked.header("Authorization"));
        Map<String, String> form = form(asked.body());
        String action = form.get("Action");
        actions.add(action + ("true".equals(form.get("DryRun")) ? " (dry run)" : ""));
        synchronized (this) {
            Deque<Answer> queue = failures.getOrDefault(action, new ArrayDeque<>());
            if (!queue.isEmpty()) {
                return queue.remove();
            }
        }
        if (action.startsWith("Describe")) {
            if (!next.isEmpty() && looksLeft-- <= 0) {
                word = next;
                next = "";
            }
            return new Answer(200, describe());
        }
        return perform(action, form);
    }

    private static Map<String, String> form(String body) {
        Map<String, String> form = new HashMap<>();
        for (String pair : body.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            form.put(
                    URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                    URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return form;
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
