package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.servers.HttpFront;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** A bucket that another deployer has used before, with its states at the root. */
@DisplayName("state at the root of a bucket")
class S3AdoptionTest {
    private static final Stack SHOP = new Stack("shop", "prod");
    private static final String STATE = "stacks/shop/prod/state.json";
    private static final Provenance ALICE = Provenance.of("alice", "apply");
    private static final Path TERRAFORM = Path.of("../../deploy/terraform/aws");

    private final S3DocumentFixture fixture = new S3DocumentFixture();
    private final BucketAddress root = BucketAddress.of(fixture.rootUrl());
    private final S3AsyncClient client = S3Clients.of(root, S3Config.DEFAULT);
    private final BucketRequests bucket = new BucketRequests(client, root, S3Config.DEFAULT, ServerTime.DATE);
    private final DocumentStore documents = DocumentStores.open(fixture.rootUrl());
    private final LockClient locks = LockClient.connect("memory:");
    private final StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT.withVisibleLocks(true));

    @AfterEach
    void close() {
        state.close();
        locks.close();
        documents.close();
        client.close();
        fixture.close();
    }

    @Test
    @DisplayName("that was there before is found, and becomes the first version when the holder of the lock saves")
    void adopted() throws Exception {
        put(STATE, "{\"serial\": 7, \"lineage\": \"old\"}");
        put("stacks/other/prod/state.json", "{}");
        put("stacks/shop/prod/pulumi/stack.json", "theirs");
        assertThat(new String(state.load(SHOP).orElseThrow().content(), StandardCharsets.UTF_8))
                .isEqualTo("{\"serial\": 7, \"lineage\": \"old\"}");
        assertThat(state.list(10, Optional.empty()).stacks())
                .extracting(it -> it.stack().toString())
                .containsExactly("other/prod", "shop/prod");

        try (Lease lease = held()) {
            assertThat(text(STATE)).as("claimed, not changed").contains("{\"serial\": 7, \"lineage\": \"old\"}");
            assertThat(state.load(SHOP).orElseThrow().version().serial()).isEqualTo(7);
            saved(state.save(lease, bytes("{\"serial\": 8, \"lineage\": \"old\"}"), ALICE));
        }
        assertThat(text(STATE)).contains("{\"serial\": 8, \"lineage\": \"old\"}");
        assertThat(state.history(SHOP, 10).versions())
                .extracting(it -> it.serial() + " " + it.operation())
                .containsExactly("8 apply", "7 found");
        String first = state.history(SHOP, 10).versions().get(1).version();
        assertThat(state.version(SHOP, first).orElseThrow().content())
                .isEqualTo(bytes("{\"serial\": 7, \"lineage\": \"old\"}"));
        assertThat(text("stacks/shop/prod/history/" + first + ".json"))
                .contains("{\"serial\": 7, \"lineage\": \"old\"}");
        assertThat(text("stacks/shop/prod/pulumi/stack.json")).contains("theirs");
        assertThat(state.verify(SHOP).isGood()).isTrue();
    }

    @Test
    @DisplayName("shows its holder also where the old deployer left lock files of its own")
    void oldLockFiles() throws Exception {
        List<String> files = List.of("stacks/shop/prod/state.json.lock", "locks/shop-prod.lock");
        files.forEach(file -> put(file, "old"));
        try (Lease lease = held()) {
            for (String file : files) {
                assertThat(text(file))
                        .hasValueSatisfying(it -> assertThat(it)
                                .contains("\"fencing_token\":" + lease.token().value()));
            }
        }
    }

    @Test
    @DisplayName("is not replaced by who has not seen it, nor if its old writer changed it meanwhile, nor deleted")
    void notBlindly() {
        put(STATE, "old");
        DocumentHead seen = documents.look(STATE).orElseThrow();
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> documents.write(Change.put(STATE, Condition.none(), bytes("ours"), Map.of())));
        assertThat(documents.write(Change.put(STATE, Condition.absent(), bytes("ours"), Map.of())))
                .isInstanceOf(WriteOutcome.Refused.class);
        documents.write(Change.delete(STATE, Condition.none()));
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> documents.write(Change.delete(STATE, Condition.tagged(seen.tag()))));
        put(STATE, "changed by its old writer");
        assertThat(documents.write(Change.put(STATE, Condition.tagged(seen.tag()), bytes("ours"), Map.of())))
                .isInstanceOf(WriteOutcome.Refused.class);
        assertThat(documents.write(Change.mark(STATE, seen.tag(), Map.of()))).isInstanceOf(WriteOutcome.Refused.class);
        assertThat(text(STATE)).contains("changed by its old writer");
        assertThat(keys(".documents/contents/")).isEmpty();
    }

    @Test
    @DisplayName(
            "is where the rules and the rights of deploy/terraform/aws look for it, and its history carries their tag")
    void terraform() throws Exception {
        Map<String, String> tags = new ConcurrentSkipListMap<>();
        fixture.front().through((request, server) -> {
            if (Set.of("PUT", "DELETE").contains(request.method())) {
                String key = URLDecoder.decode(request.path().replaceFirst("\\?.*", ""), StandardCharsets.UTF_8)
                        .substring(("/" + fixture.bucket() + "/").length());
                tags.merge(key, request.headers().getOrDefault("x-amz-tagging", ""), (a, b) -> a + b);
            }
            return fixture.inTurn(request, server);
        });
        try (DocumentStore fresh = DocumentStores.open(fixture.rootUrl())) { // its proof writes too
            StateManager shown = StateManager.on(locks, fresh, StateConfig.DEFAULT.withVisibleLocks(true));
            var lock = shown.locks()
                    .acquire(DeployKey.of(SHOP), DeployMetadata.fromEnvironment(Map.of(), Path.of("/")))
                    .orThrow();
            saved(shown.save(lock.lease(), bytes("{\"serial\": 1}"), ALICE));
            lock.release();
        }
        List<String> prefixes = List.of(prefix("state_prefix"), prefix("documents_prefix"), prefix("locks_prefix"));
        assertThat(tags.keySet())
                .isNotEmpty()
                .allSatisfy(key -> assertThat(prefixes).as(key).anyMatch(key::startsWith));
        String rule = tagOfHistory();
        assertThat(tags)
                .allSatisfy((key, tag) ->
                        assertThat(tag).as(key).isEqualTo(key.startsWith("stacks/shop/prod/history/") ? rule : ""));
        assertThat(tags.keySet()).anyMatch(key -> key.startsWith("stacks/shop/prod/history/"));
        assertThat(Files.readString(TERRAFORM.resolve("policy.tf"))).contains("s3:PutObjectTagging");
    }

    private static String prefix(String variable) throws IOException {
        String text = Files.readString(TERRAFORM.resolve("variables.tf"));
        Matcher found = Pattern.compile("variable \"" + variable + "\" \\{.*?default += \"([^\"]*)\"", Pattern.DOTALL)
                .matcher(text);
        assertThat(found.find()).as(variable).isTrue();
        return found.group(1);
    }

    private static String tagOfHistory() throws IOException {
        String text = Files.readString(TERRAFORM.resolve("bucket.tf"));
        Matcher found = Pattern.compile(
                        "id +=[^}]*?\"old-history\".*?tag \\{\\s*key += \"([^\"]+)\"\\s*value += \"([^\"]+)\"",
                        Pattern.DOTALL)
                .matcher(text);
        assertThat(found.find()).isTrue();
        return found.group(1) + "=" + found.group(2);
    }

    @Test
    @DisplayName("is saved all the same where tags are not allowed")
    void withoutTags() throws Exception {
        fixture.front()
                .through((request, server) -> request.headers().containsKey("x-amz-tagging")
                        ? Optional.of(
                                HttpFront.Answer.of(403, "application/xml", "<Error><Code>AccessDenied</Code></Error>"))
                        : fixture.inTurn(request, server));
        String version;
        try (Lease lease = held()) {
            version = saved(state.save(lease, bytes("{\"serial\": 1}"), ALICE));
        }
        assertThat(text("stacks/shop/prod/history/" + version + ".json")).contains("{\"serial\": 1}");
    }

    @Test
    @DisplayName("is no place for locks: they need a prefix of their own")
    void noLocks() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3Store.open(fixture.rootUrl(), S3Config.DEFAULT))
                .withMessageContaining("prefix of their own");
    }

    private Lease held() throws InterruptedException {
        Lease lease = locks.acquire(SHOP.lock(), o -> {});
        assertThat(state.claim(lease)).isInstanceOf(ClaimOutcome.Claimed.class);
        return lease;
    }

    private static String saved(SaveOutcome outcome) {
        assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
        return ((SaveOutcome.Saved) outcome).version().version();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void put(String key, String text) {
        bucket.store(key, bytes(text)).join();
    }

    private List<String> keys(String prefix) {
        return bucket.list(prefix, Optional.empty(), 100).join().keys();
    }

    private Optional<String> text(String key) {
        return bucket.getAll(key).join().map(found -> new String(found, StandardCharsets.UTF_8));
    }
}
