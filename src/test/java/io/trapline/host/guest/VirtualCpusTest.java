package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trapline.host.CpuSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VirtualCpusTest {
    @Test
    void eachGetsACpuOfItsOwnOrNoneDoes() throws Exception {
        JsonNode threads = new ObjectMapper()
                .readTree("[{\"cpu-index\": 1, \"thread-id\": 902}, {\"cpu-index\": 0, \"thread-id\": 901}]");
        assertThat(VirtualCpus.plan(threads, CpuSet.parse("3,5,7"))).isEqualTo(Map.of(901L, 3, 902L, 5));
        assertThat(VirtualCpus.plan(threads, CpuSet.of(3))).isEmpty();
    }
}
