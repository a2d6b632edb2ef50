import subprocess, json, os, sys, time, statistics
exe,lang,mode=sys.argv[1:4]
env = {k:v for k,v in os.environ.items() if not k.startswith("MUXUE_RAG_")}
env.update(MUXUE_RAG_STATE_DIR="/tmp/memory/state", MUXUE_RAG_CONFIG_DIR="/tmp/memory/state")
qs = json.load(open(f"/tmp/memory/{lang}10k.json"))
p = subprocess.Popen([exe,"serve","--dir",f"/tmp/memory/{lang}"],stdin=subprocess.PIPE,stdout=subprocess.PIPE,stderr=subprocess.DEVNULL,env=env)
i=0
def ask(m,params):
    global i; i+=1
    p.stdin.write((json.dumps({"jsonrpc":"2.0","id":i,"method":m,"params":params})+"\n").encode()); p.stdin.flush()
    return p.stdout.readline()
def cpu():
    f=open(f"/proc/{p.pid}/stat").read().rsplit(")",1)[1].split(); return (int(f[11])+int(f[12]))/100
ask("initialize",{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"b","version":"1"}})
time.sleep(2)
def s(q,k): 
    t=time.perf_counter(); a=ask("tools/call",{"name":"search_rag","arguments":{"keyword":q,"mode":mode,"top_k":k}}); dt=(time.perf_counter()-t)*1e3
    return dt-json.loads(a)["result"]["structuredContent"]["data"]["stats"]["cost_time"]*1e3
for k in range(150): s(qs[k],3 if k%2 else 10)
c={3:0,10:0}; over=[]
for r in range(10):
    for k in (3,10):
        b=cpu()
        for j in range(20): over.append(s(qs[1000+r*20+j],k))
        c[k]+=cpu()-b
print(lang,mode,"cpu ms 3:",c[3]*5,"10:",c[10]*5,"ratio",round(c[10]/c[3],2),"overhead p50 ms",round(statistics.median(over),2))
p.stdin.close(); p.wait()
