import { loadPriceBook } from './shared/cost/price-book.ts';
import { logEntrySchema, entryTimeOf } from './api/ingest/ingest.schemas.ts';
import { createEntryGuard } from './api/ingest/entry-guard.ts';
import { check } from './api/http/validate.ts';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
const book = loadPriceBook();
const names = book as any;
const schema = logEntrySchema(names);
const guard = createEntryGuard(names);
const num=(min:number,max:number)=>Type.Optional(Type.Number({minimum:min,maximum:max}));
const int=(min:number,max:number)=>Type.Optional(Type.Integer({minimum:min,maximum:max}));
const tb = Compile(Type.Object({
  message: Type.String({minLength:1,maxLength:262144}),
  timestamp: Type.Optional(Type.Union([Type.String(),Type.Number()])),
  source: Type.Optional(Type.String({maxLength:256})), level: Type.Optional(Type.String({maxLength:64})),
  usage: Type.Optional(Type.Object({function_duration_ms:num(0,900000),function_memory_mb:int(128,10240),input_tokens:int(0,1e7),cache_read_tokens:int(0,1e7),cache_write_tokens:int(0,1e7),cache_write_1h_tokens:int(0,1e7),output_tokens:int(0,1e7),model:Type.Optional(Type.String())},{additionalProperties:false})),
  attributes: Type.Optional(Type.Record(Type.String(),Type.Union([Type.String(),Type.Number(),Type.Boolean()])))},{additionalProperties:false}));
const entries = Array.from({length:1000},(_,i)=>i%4===3?{message:`2026-05-01 12:00:00 INFO GET /orders/${i} 200 ${i%211} ms curl/8`}: {message:`GET /orders/${i}?q=caf 200 ${i%211} ms "curl/8" agent`,timestamp:'2026-05-01T12:00:00Z',source:'web-1',level:'info',attributes:{status:200,path:'/orders',ok:true}});
const run = { joi: ()=>{ for(const e of entries){ const r=check(schema,e,{forbidden:[]}); if('errors' in r) throw 1;} }, typebox: ()=>{ for(const e of entries){ if(!tb.Check(e)) throw 1; if(e.timestamp!==undefined && entryTimeOf(e.timestamp)===undefined) throw 2; } }, guard: ()=>{ for(const e of entries){ if(!guard(e)) throw 1;} } };
const n={joi:20,typebox:60,guard:60} as any; const res:any={joi:[],typebox:[],guard:[]};
for(let round=0;round<12;round++) for(const k of ['joi','typebox','guard'] as const){ const s=process.cpuUsage(); for(let i=0;i<n[k];i++) run[k](); const u=process.cpuUsage(s); if(round>1) res[k].push((u.user+u.system)/1000/n[k]); }
for(const k in res){ const a=res[k].sort((x:number,y:number)=>x-y); console.log(k,'ms per 1000: median',a[a.length>>1].toFixed(2),'min',a[0].toFixed(2),'max',a.at(-1).toFixed(2)); }
