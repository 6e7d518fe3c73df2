package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.fuzz.Fuzz;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a damaged request is taken, or refused in so many words:")
final class HttpFuzzTest {
    @Test
    @DisplayName("bodies of JSON, neither deep nor with a name twice")
    void bodies() {
        JsonBody json = new JsonBody(20, 100_000);
        Fuzz.of(
                        "{\"namespace\":\"billing\",\"name\":\"run\",\"lease_ms\":30000,\"wait_ms\":0,\"metadata\":{\"a\":\"b\"}}",
                        "{\"keys\":[{\"name\":\"a\",\"paths\":[\"x/y\"]}],\"shared\":true,\"permits\":1.5,\"reason\":null}",
                        "{}")
                .run(
                        text -> json.object(Buffer.buffer(text)),
                        Problem.Refused.class,
                        fields -> assertThat(fields.members().keySet()).doesNotHaveDuplicates());
    }

    @Test
    @DisplayName("queries")
    void queries() {
        Fuzz.of("namespace=billing&limit=100&cursor=YWJj", "a=%C3%A9&b=+&c", "")
                .run(Query::new, Problem.Refused.class, query -> query.text("limit", Integer::parseInt));
    }
}
